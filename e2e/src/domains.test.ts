import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { openBrowser } from "@nido/test-kit/browser";
import { freePort } from "@nido/test-kit/freePort";
import { startNameServer, whyNoNameServer } from "@nido/test-kit/nameServer";
import { openSeed } from "@nido/test-kit/seed";
import { startCaddy, whyNoCaddy } from "@nido/test-kit/startCaddy";
import { expect, Nido, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const run = promisify(execFile);
const tool = resolve(import.meta.dirname, "../../apps/cli/dist/nido.cjs");
const whyNot = whyNoNameServer ?? whyNoCaddy;

test("a domain is added, waits for its DNS, is verified while one looks, answers by https, and goes", async ({
  browser,
}) => {
  test.skip(whyNot !== undefined, whyNot);
  const undos: (() => unknown)[] = [];
  try {
    const names = await startNameServer(["example.com", "sites.example.net"]);
    undos.unshift(names.stop);
    await names.set("*.sites.example.net", "A", "127.0.0.1");
    const folder = mkdtempSync(join(tmpdir(), "nido-e2e-"));
    chmodSync(folder, 0o711);
    undos.unshift(() => rmSync(folder, { recursive: true, force: true }));
    const port = await freePort();
    const env = {
      SITES_DOMAIN: "sites.example.net",
      SITES_CERTIFICATES: "on-demand",
      DNS_SERVERS: names.address,
      TRUSTED_PROXIES: "127.0.0.1",
    };
    const nido = new Nido(port, await freePort(), folder, env);
    await nido.start();
    undos.unshift(() => nido.stop());
    const front = await startCaddy(port, names.address);
    undos.unshift(front.stop);

    const context = await browser.newContext({ baseURL: nido.origin, locale: "es-ES" });
    undos.unshift(() => context.close());
    const page = await context.newPage();
    const email = uniqueEmail();
    await signInWithGoogle(page, email);
    const customer = await openSeed(nido.databaseUrl, email);
    undos.unshift(() => customer.close());
    const id = await customer.addProject("panaderialuz", { recipe: "static_starter" });
    const site = join(folder, "site");
    mkdirSync(site);
    writeFileSync(join(site, "index.html"), "<title>Pan</title><h1>Pan de verdad</h1>");
    const access = { NIDO_SERVER: nido.origin, NIDO_TOKEN: await customer.giveToken(), HOME: folder };
    await run(process.execPath, [tool, "publish", site, "--project", "panaderialuz"], { env: access });

    await page.goto(`/projects/${id}?tab=configuration`);
    await page.getByRole("link", { name: "Añadir dominio" }).click();
    for (const none of ["localhost", "co.uk", "127.0.0.1", "x.sites.example.net", "peña"]) {
      await page.getByLabel("Dominio").fill(none);
      await page.keyboard.press("Enter");
      await expect(page.getByRole("alert")).toHaveText("Dominio no válido");
    }
    await page.getByLabel("Dominio").fill("HTTPS://www.Example.com/inicio");
    const both = page.getByRole("checkbox", { name: "Añadir también example.com" });
    await expect(both).toBeChecked();
    await page.screenshot({ path: "../test-results/screens/domain-new.jpg", type: "jpeg", quality: 70 });
    await both.uncheck();
    await page.getByRole("button", { name: "Añadir dominio" }).click();

    const summary = page.locator("summary", { hasText: "www.Example.com" });
    const row = page.getByRole("listitem").filter({ has: summary });
    await expect(row).toContainText("Este dominio no apunta a nosotros.");
    await expect(row).toContainText("panaderialuz.sites.example.net");
    await expect(row).toContainText("Ahora tiene: nada todavía");
    await names.set("www.example.com", "A", "198.51.100.1");
    await row.getByRole("button", { name: "Comprobar" }).click();
    await expect(row).toContainText("Ahora tiene: A 198.51.100.1");
    await page.screenshot({
      path: "../test-results/screens/domain-pending.jpg",
      type: "jpeg",
      quality: 70,
      fullPage: true,
    });

    await names.set("www.example.com", "A");
    await names.set("www.example.com", "CNAME", "panaderialuz.sites.example.net.");
    await row.getByRole("button", { name: "Comprobar" }).click();
    await expect(row).toContainText("Verificado");
    await expect(row.getByRole("button", { name: "Comprobar" })).toHaveCount(0);
    await page.screenshot({
      path: "../test-results/screens/domain-verified.jpg",
      type: "jpeg",
      quality: 70,
      fullPage: true,
    });

    expect(await front.get("www.example.com")).toMatchObject({ status: 200, names: "DNS:www.example.com" });
    const visitor = await openBrowser({ "*.example.com": "127.0.0.1" });
    undos.unshift(() => visitor.close());
    const visit = await visitor.newPage({ ignoreHTTPSErrors: true });
    await visit.goto(`https://www.example.com:${front.httpsPort}/`);
    await expect(visit.getByRole("heading")).toHaveText("Pan de verdad");

    await row.getByRole("link", { name: "Eliminar dominio" }).click();
    await page.getByRole("button", { name: "Eliminar dominio" }).click();
    await expect(page).toHaveURL(`/projects/${id}?tab=configuration`);
    await expect(row).toHaveCount(0);
    await expect.poll(async () => (await front.get("www.example.com")).status).toBe(404);
  } finally {
    for (const undo of undos) await undo();
  }
});
