import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatMoney, type Language } from "@nido/contract";
import { freePort } from "@nido/test-kit/freePort";
import { openSeed } from "@nido/test-kit/seed";
import { readApiKey } from "../../packages/sandbox/src/stripe/readApiKey.ts";
import { anotherBrowser, expect, field, gainSession, inLanguage, Nido, test, uniqueEmail } from "./nido.ts";
import { buyStatic, languages, picture, type Texts } from "./purchases.ts";
import { say } from "./texts.ts";

for (const [lang, t] of Object.entries(languages) as [Language, Texts][]) {
  const euros = (cents: number) => formatMoney(cents, "eur", lang);

  // With a product of its own: automatic tax is a setting, and a plan that goes would miss in other tests.
  test(
    `prices with VAT, a verified number, a plan that is no longer for sale and a refunded purchase, ${lang}`,
    inLanguage(lang),
    async ({ browser }) => {
      const undos: (() => unknown)[] = [];
      try {
        const folder = mkdtempSync(join(tmpdir(), "nido-e2e-"));
        chmodSync(folder, 0o711);
        undos.unshift(() => rmSync(folder, { recursive: true, force: true }));
        const nido = new Nido(await freePort(), await freePort(), folder, { STRIPE_AUTOMATIC_TAX: "on" });
        await nido.start();
        undos.unshift(() => nido.stop());
        const { page, context } = await anotherBrowser(browser, nido);
        undos.unshift(() => context.close());
        const email = uniqueEmail();
        await gainSession(page, email, lang);
        const seed = await openSeed(nido.databaseUrl, email);
        undos.unshift(() => seed.close());
        await buyStatic(page, t, lang);

        await page.goto("/settings");
        const { settings } = t;
        await page.getByRole("button", { name: `${t.common.add} ${settings.address}` }).click();
        await field(page, settings.country).selectOption("ES");
        await page.getByRole("button", { name: t.common.save }).click();
        await page.goto("/newproject?category=wordpress");
        await expect(page.getByText(say(t.newProject.withVat, { amount: euros(7139), percent: "21" }))).toBeVisible();
        await picture(page, `prices-vat-${lang}`);

        await page.goto("/settings");
        await page.getByRole("button", { name: `${t.common.add} ${settings.company}` }).click();
        await field(page, settings.vat).fill("ESB12345678");
        await page.getByRole("button", { name: t.common.save }).click();
        await expect(page.getByText(settings.taxIdStatus.pending)).toBeVisible();
        const control = async () => (await fetch(`${nido.sandbox}/stripe`)).text();
        const [path] = /\/stripe\/tax-id\/txi_\w+/.exec(await control()) ?? [""];
        await fetch(nido.sandbox + path, { method: "POST", body: new URLSearchParams({ action: "verified" }) });
        await expect(page.getByText(settings.taxIdStatus.verified)).toBeVisible();
        await picture(page, `tax-id-${lang}`);

        // The name goes to somebody else while the payment page is open.
        const name = `site${Math.random().toString(36).slice(2, 10)}`;
        const order = async (buyer: typeof page) => {
          await buyer.goto(`/newproject?category=static&lang=${lang}`);
          await buyer.getByRole("button", { name: t.newProject.choose }).click();
          await buyer.getByLabel(t.newProject.nameLabel).fill(name);
          await buyer.getByRole("button", { name: t.common.continue, exact: true }).click();
        };
        const pay = /^(Pagar|Pay) €?\d/;
        await order(page);
        await expect(page.getByRole("button", { name: pay })).toBeVisible();
        await seed.expireCheckouts();
        const other = await anotherBrowser(browser, nido);
        undos.unshift(() => other.context.close());
        await gainSession(other.page, uniqueEmail(), lang);
        await order(other.page);
        await other.page.getByRole("button", { name: pay }).click();
        await expect(other.page.getByRole("heading", { name: t.newProject.staticSuccessTitle })).toBeVisible();
        await page.getByRole("button", { name: pay }).click();
        await expect(page.getByRole("heading", { name: t.newProject.refundedTitle })).toBeVisible();
        await picture(page, `refunded-${lang}`);

        await page.goto(`/newproject?category=static&lang=${lang}`);
        await expect(page.getByRole("button", { name: t.newProject.choose })).toBeVisible();
        const { year } = await (await page.request.get("/billing/products?recipe_category=static")).json();
        const headers = { authorization: `Bearer ${readApiKey(join(nido.dataDir, "sandbox"))}` };
        const archived = await fetch(`${nido.sandbox}/v1/prices/${year[0].plan.id}`, {
          method: "POST",
          headers,
          body: new URLSearchParams({ active: "false" }),
        });
        expect(archived.status).toBe(200);
        await page.getByRole("button", { name: t.newProject.choose }).click();
        await page.getByLabel(t.newProject.nameLabel).fill(`${name}b`);
        await page.getByRole("button", { name: t.common.continue, exact: true }).click();
        await expect(page.getByText(t.errors.error_plan_not_found)).toBeVisible();
        await picture(page, `plan-gone-${lang}`);
      } finally {
        for (const undo of undos) await undo();
      }
    },
  );
}
