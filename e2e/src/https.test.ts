/// <reference lib="dom" />
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@nido/test-kit/freePort";
import { openSeed } from "@nido/test-kit/seed";
import { expect, Nido, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const run = promisify(execFile);
const tool = resolve(import.meta.dirname, "../../apps/cli/dist/nido.cjs");

test("the dashboard, its live socket and a site over HTTP/2, and HSTS by a switch", async ({ browser }) => {
  const undos: (() => unknown)[] = [];
  try {
    const folder = mkdtempSync(join(tmpdir(), "nido-e2e-"));
    chmodSync(folder, 0o711);
    undos.unshift(() => rmSync(folder, { recursive: true, force: true }));
    const httpsPort = String(await freePort());
    const nido = new Nido(await freePort(), await freePort(), folder, { HTTPS_PORT: httpsPort });
    await nido.start();
    undos.unshift(() => nido.stop());
    const context = await browser.newContext({ baseURL: nido.origin, locale: "es-ES", ignoreHTTPSErrors: true });
    undos.unshift(() => context.close());
    const page = await context.newPage();
    const protocol = () =>
      page.evaluate(
        () => (performance.getEntriesByType("navigation")[0] as PerformanceNavigationTiming).nextHopProtocol,
      );
    const email = uniqueEmail();
    await signInWithGoogle(page, email);
    expect(await protocol()).toBe("h2");

    const customer = await openSeed(nido.databaseUrl, email);
    undos.unshift(() => customer.close());
    const id = await customer.addProject("folio", { recipe: "static_starter" });
    // By the live socket, without a reload.
    await expect(page.getByRole("heading", { name: "folio" })).toBeVisible();

    const files = join(folder, "site");
    mkdirSync(files);
    writeFileSync(join(files, "index.html"), "<title>Folio</title><h1>Por HTTP/2</h1>");
    await run(process.execPath, [tool, "publish", files, "--project", "folio"], {
      env: {
        NIDO_SERVER: nido.origin,
        NIDO_TOKEN: await customer.giveToken(),
        HOME: folder,
        NODE_TLS_REJECT_UNAUTHORIZED: "0",
      },
    });
    const site = `https://folio.localhost:${httpsPort}/`;
    const headerOf = async () => (await page.goto(site))?.headers()["strict-transport-security"];
    expect(await headerOf()).toBeUndefined();
    await expect(page.getByRole("heading", { name: "Por HTTP/2" })).toBeVisible();
    expect(await protocol()).toBe("h2");

    const flip = async (isOn: boolean) => {
      await page.goto(`/projects/${id}?tab=configuration`);
      const hsts = page.getByLabel("Exigir HTTPS siempre (HSTS)");
      await expect(hsts).toBeChecked({ checked: !isOn });
      await hsts.press("Space");
      await expect(hsts).toBeChecked({ checked: isOn });
    };
    await flip(true);
    expect(await headerOf()).toBe("max-age=31536000");
    await flip(false);
    expect(await headerOf()).toBeUndefined();

    // In English: it shows that the change is being saved, and says that it failed.
    const { promise: failure, resolve: fail } = Promise.withResolvers<void>();
    // Without a socket, the dashboard sends actions over HTTP, where this test can hold them.
    await page.routeWebSocket(/\/redux$/, (socket) => socket.close());
    await page.route(/\/redux$/, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      await failure;
      await route.abort();
    });
    await page.goto(`/projects/${id}?tab=configuration&lang=en`);
    const hsts = page.getByLabel("Always require HTTPS (HSTS)");
    await hsts.press("Space");
    await expect(hsts).toHaveAttribute("aria-busy", "true");
    fail();
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("We couldn't reach the server");
    await expect(hsts).toHaveAttribute("aria-busy", "false");
    await expect(hsts).not.toBeChecked();
    const [hint, box] = [await page.getByText("Browsers that visit the site").boundingBox(), await alert.boundingBox()];
    expect(box?.y).toBeGreaterThan((hint?.y ?? 0) + (hint?.height ?? 0) + 8);
  } finally {
    for (const undo of undos) await undo();
  }
});
