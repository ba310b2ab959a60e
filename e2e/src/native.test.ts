import { freePort } from "@nido/test-kit/freePort";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { openSeed } from "@nido/test-kit/seed";
import { expect, Nido, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const reason = whyNotNative();

test("on PHP-FPM and MariaDB: one click leads into the site's admin, another to its photos", async ({ browser }) => {
  test.skip(reason !== undefined, `the native runtime cannot run here: ${reason}`);
  const undos: (() => Promise<void>)[] = [];
  try {
    const native = await startNative((undo) => undos.unshift(undo));
    const nido = new Nido(await freePort(), await freePort(), native.folder, native.env);
    await nido.start();
    undos.unshift(() => nido.stop());
    const context = await browser.newContext({ baseURL: nido.origin, locale: "es-ES" });
    undos.unshift(() => context.close());
    const page = await context.newPage();
    const email = uniqueEmail();
    await signInWithGoogle(page, email);
    const seed = await openSeed(nido.databaseUrl, email);
    await seed.makeWordPress("nativesite");
    await seed.close();

    await page.getByRole("link", { name: "Gestionar nativesite" }).click();
    await expect(page.getByText(/\d+ [kM]B de 15 GB/)).toBeVisible();
    const address = `http://nativesite.localhost:${new URL(nido.origin).port}`;
    for (const [button, path] of [
      ["Abrir el panel de WordPress", "/wp-admin/"],
      ["Añadir fotos", "/wp-admin/media-new.php"],
    ] as const) {
      const opened = context.waitForEvent("page");
      await page.getByRole("button", { name: button }).click();
      const admin = await opened;
      await expect(admin).toHaveURL(address + path);
      await expect(admin.locator("#wpadminbar")).toContainText("lucia");
      await admin.close();
    }
  } finally {
    for (const undo of undos) await undo();
  }
});
