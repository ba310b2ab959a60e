import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@nido/server/db/connect";
import { type Exchange, startAcmeProxy } from "@nido/test-kit/acmeProxy";
import { startAcmeServer, whyNoAuthority } from "@nido/test-kit/acmeServer";
import { freePort } from "@nido/test-kit/freePort";
import { httpsGet } from "@nido/test-kit/httpsGet";
import { startNameServer, whyNoNameServer } from "@nido/test-kit/nameServer";
import { openSeed } from "@nido/test-kit/seed";
import { sql } from "drizzle-orm";
import { expect, Nido, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const whyNot = whyNoNameServer ?? whyNoAuthority;

const texts = {
  es: {
    issuing: "Certificado: se está emitiendo.",
    caa: "Sin certificado válido. Un registro CAA de este dominio no permite que nuestra autoridad de certificación emita un certificado. Quítalo o añade uno para nuestra autoridad.",
    valid: /Certificado: válido hasta el .+\. Lo renovaremos antes de esa fecha\./,
  },
  en: {
    issuing: "Certificate: being issued.",
    caa: "No valid certificate. A CAA record of this domain doesn't let our certificate authority issue a certificate. Remove it, or add one for our authority.",
    valid: /Certificate: valid until .+\. We'll renew it before then\./,
  },
};

test("a domain shows live, in both languages, that its certificate is being issued, why it is not, and until when it is valid", async ({
  browser,
}) => {
  test.skip(whyNot !== undefined, whyNot);
  const undos: (() => unknown)[] = [];
  try {
    const names = await startNameServer(["example.com", "localhost"]);
    undos.unshift(names.stop);
    await names.set("localhost", "A", "127.0.0.1");
    await names.set("*.localhost", "A", "127.0.0.1");
    const folder = mkdtempSync(join(tmpdir(), "nido-e2e-"));
    chmodSync(folder, 0o711);
    undos.unshift(() => rmSync(folder, { recursive: true, force: true }));
    const [httpPort, httpsPort] = [await freePort(), await freePort()];
    const authority = await startAcmeServer({
      folder,
      httpPort,
      httpsPort,
      dns: names.address,
      certificateSeconds: 86_400,
    });
    undos.unshift(authority.stop);
    const proxy = await startAcmeProxy(authority);
    undos.unshift(proxy.stop);
    const nido = new Nido(httpPort, await freePort(), folder, {
      HTTPS_PORT: String(httpsPort),
      ACME_DIRECTORY: proxy.directoryUrl,
      DNS_SERVERS: names.address,
      ENCRYPTION_KEY: "a key of thirty-two characters and more",
      NODE_EXTRA_CA_CERTS: authority.certificateFile,
    });
    await nido.start();
    undos.unshift(() => nido.stop());
    const db = connect(nido.databaseUrl);
    undos.unshift(() => db.$client.end());
    const plan = () =>
      db.execute(sql`select graphile_worker.add_job('planCertificates', '{}', job_key := 'planCertificates')`);
    await plan();
    await expect(async () => void (await httpsGet(httpsPort, "localhost", "/healthz", authority.root))).toPass();

    /** The same customer in a browser of their own. */
    const open = async (locale: string) => {
      const context = await browser.newContext({ baseURL: nido.origin, locale, ignoreHTTPSErrors: true });
      undos.unshift(() => context.close());
      const page = await context.newPage();
      await signInWithGoogle(page, email, `/?lang=${locale.slice(0, 2)}`);
      return page;
    };
    const email = uniqueEmail();
    const page = await open("es-ES");
    const inEnglish = await open("en-GB");
    const customer = await openSeed(nido.databaseUrl, email);
    undos.unshift(() => customer.close());
    const id = await customer.addProject("panaderialuz", { recipe: "static_starter" });

    let order: object = { status: "pending" };
    proxy.onAnswer((exchange: Exchange) => {
      if (!exchange.path.startsWith("/my-order/")) return;
      exchange.body = JSON.stringify({ ...JSON.parse(exchange.body), ...order });
    });
    await names.set("www.example.com", "CNAME", "panaderialuz.localhost.");
    await page.goto(`/projects/${id}?tab=configuration`);
    await page.getByRole("link", { name: "Añadir dominio" }).click();
    await page.getByLabel("Dominio").fill("www.example.com");
    await page.getByRole("checkbox", { name: "Añadir también example.com" }).uncheck();
    await page.getByRole("button", { name: "Añadir dominio" }).click();

    await inEnglish.goto(`/projects/${id}?tab=configuration`);
    const lines = [
      { page, text: texts.es },
      { page: inEnglish, text: texts.en },
    ].map(({ page, text }) => {
      const summary = page.locator("summary", { hasText: "www.example.com" });
      return { text, summary, line: page.getByRole("listitem").filter({ has: summary }).getByRole("status") };
    });
    for (const { text, summary, line } of lines) {
      // A domain that is verified already is closed.
      if ((await summary.locator("..").getAttribute("open")) === null) await summary.click();
      await expect(line).toContainText(text.issuing);
    }
    const error = { type: "urn:ietf:params:acme:error:caa", detail: "forbidden by the test" };
    order = { status: "invalid", error };
    for (const { text, line } of lines) await expect(line).toHaveText(text.caa);

    // The customer removes the record.
    proxy.onAnswer(() => undefined);
    await db.execute(sql`update certificates set due_at = now() where name = 'www.example.com'`);
    await plan();
    for (const { text, line } of lines) await expect(line).toHaveText(text.valid);
    const served = await httpsGet(httpsPort, "www.example.com", "/", authority.root);
    expect(served.serial).not.toBe("");
  } finally {
    for (const undo of undos) await undo();
  }
});
