import { formatMoney, type Language } from "@nido/contract";
import { expect, field, gainSession, inLanguage, test, uniqueEmail } from "./nido.ts";
import { buyStatic, happens, languages, picture, type Texts } from "./purchases.ts";
import { say, startOf } from "./texts.ts";

/** The stand-in's own pages. */
const provider = {
  es: { pay: "Pagar", invoices: "Facturas", cancel: "Cancelar al final del periodo", back: "Volver" },
  en: { pay: "Pay", invoices: "Invoices", cancel: "Cancel at the end of the period", back: "Back" },
};
for (const [lang, t] of Object.entries(languages) as [Language, Texts][]) {
  const theirs = provider[lang];
  const euros = (cents: number) => formatMoney(cents, "eur", lang);

  test.describe(lang, inLanguage(lang), () => {
    test("invoices and card at the provider; a failed payment and an ending are seen without reloading", async ({
      page,
      nido,
    }) => {
      await gainSession(page, uniqueEmail(), lang);
      await page.goto(`/settings?tab=products&lang=${lang}`);
      await page.getByRole("button", { name: t.products.portal }).click();
      await expect(page.getByRole("alert")).toContainText(t.errors.error_portal_none);
      const { name } = await buyStatic(page, t);
      await page.goto("/settings?tab=products");
      const portal = await page.context().newPage();
      await portal.goto("/settings?tab=products");
      await portal.getByRole("button", { name: t.products.portal }).click();
      await portal.waitForURL(`${nido.sandbox}/stripe/portal/**`);
      await expect(portal.getByRole("heading", { name: theirs.invoices, exact: true })).toBeVisible();
      await portal.getByRole("link", { name: /-0001$/ }).click();
      await expect(portal.getByRole("cell", { name: euros(2900) }).first()).toBeVisible();
      await portal.goBack();
      const subId = (await portal.locator("[name=subscription]").getAttribute("value")) ?? "";

      const failed = page.getByText(startOf(t.debt.suspends));
      await happens(nido, subId, "failPeriod");
      await expect(failed).toBeVisible();
      await happens(nido, subId, "pay");
      await expect(failed).toBeHidden();

      await portal.reload();
      await portal.getByRole("button", { name: theirs.cancel }).click();
      await expect(page.getByText(t.products.ends)).toBeVisible();
      await portal.getByRole("link", { name: theirs.back }).click();
      await expect(portal.getByRole("heading", { name })).toBeVisible();
    });

    test("a failed payment is told on the projects page and the project with its date, and is paid from there", async ({
      page,
      nido,
      context,
      consoleErrors,
    }) => {
      await gainSession(page, uniqueEmail(), lang);
      const { id, name, subId } = await buyStatic(page, t, lang);
      await page.goto("/projects");
      await happens(nido, subId, "failPeriod");
      const debt = page.getByRole("link", { name: startOf(t.debt.suspends) });
      await expect(debt).toContainText(t.debt.pay);
      await picture(page, `debt-projects-${lang}`);
      await page.goto(`/projects/${id}`);
      await expect(debt).toContainText(t.debt.pay);
      await picture(page, `debt-project-${lang}`);
      for (const path of [
        "/settings",
        "/settings/referrals",
        `/projects/${id}?tab=configuration`,
        "/newdomain",
        "/newproject",
      ]) {
        await page.goto(path);
        await expect(page.getByRole("link", { name: `${name}: ${startOf(t.debt.suspends)}` })).toHaveCount(1);
      }
      await picture(page, `debt-everywhere-${lang}`);
      await page.goto("/settings?tab=products");
      const told = page.getByText(startOf(t.debt.suspends));
      await expect(told).toContainText(/\d{4}/);
      await picture(page, `debt-products-${lang}`);
      const opening = context.waitForEvent("page");
      await page.getByRole("link", { name: t.debt.pay, exact: true }).click();
      const invoice = await opening;
      await invoice.waitForURL(`${nido.sandbox}/stripe/invoice/**`);
      await invoice.getByRole("button", { name: theirs.pay, exact: true }).click();
      await expect(told).toBeHidden();
      expect(consoleErrors).toEqual([]);
    });

    test("a disputed payment is told on every screen with what to do, until it is won", async ({
      page,
      nido,
      consoleErrors,
    }) => {
      await gainSession(page, uniqueEmail(), lang);
      const { id, name, subId } = await buyStatic(page, t, lang);
      await page.goto("/projects");
      await happens(nido, subId, "dispute");
      const trouble = page.getByRole("link", { name: t.debt.dispute.open });
      await expect(trouble).toBeVisible();
      await page.goto(`/projects/${id}`);
      await expect(trouble).toBeVisible();
      await expect(page.getByText(t.project.glance.disputed)).toBeVisible();
      await trouble.click();
      await expect(page.getByText(t.products.state.disputed)).toBeVisible();
      await expect(page.getByRole("link", { name: "support@nido.example" }).first()).toBeVisible();
      await expect(page.getByRole("button", { name: t.renewal.cancel })).toBeHidden();
      await picture(page, `dispute-products-${lang}`);
      await page.goto("/settings?tab=activity");
      await expect(page.getByText(say(t.activity.suspended.dispute, { project: name }))).toBeVisible();
      await happens(nido, subId, "winDispute");
      await expect(page.getByText(say(t.activity.kinds.projectResumed, { project: name }))).toBeVisible();
      expect(consoleErrors).toEqual([]);
    });

    test("what the payment service refuses is told at its row, and where the number on invoices comes from", async ({
      page,
    }) => {
      await gainSession(page, uniqueEmail(), lang);
      await buyStatic(page, t, lang);
      await page.goto("/settings");
      const { settings } = t;
      await page.getByRole("button", { name: `${t.common.add} ${settings.company}` }).click();
      await field(page, settings.vat).fill("B12345678");
      await page.getByRole("button", { name: t.common.save }).click();
      await expect(page.getByText(settings.refused.vatWithoutCountry)).toBeVisible();
      await picture(page, `refused-${lang}`);
      await page.getByRole("button", { name: `${t.common.add} ${settings.address}` }).click();
      await field(page, settings.country).selectOption("ES");
      await page.getByRole("button", { name: t.common.save }).click();
      await expect(page.getByText(say(settings.onInvoices, { number: "B12345678" }))).toBeVisible();
      await picture(page, `on-invoices-${lang}`);
    });

    test("invoices are listed with their page and PDF; the renewal is cancelled and resumed on the same screen", async ({
      page,
      context,
      nido,
      consoleErrors,
    }) => {
      await gainSession(page, uniqueEmail(), lang);
      const { name } = await buyStatic(page, t, lang);
      await page.goto("/settings?tab=products");
      const invoice = page.getByRole("region", { name: t.invoices.title }).getByRole("listitem");
      await expect(invoice).toContainText(euros(2900));
      await expect(invoice).toContainText(t.invoices.state.paid);
      const pdf = await page.request.get((await invoice.getByRole("link", { name: "PDF" }).getAttribute("href")) ?? "");
      await expect(pdf).toBeOK();
      const opening = context.waitForEvent("page");
      await invoice.getByRole("link", { name: t.invoices.open }).click();
      await (await opening).waitForURL(`${nido.sandbox}/stripe/invoice/**`);

      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: t.renewal.cancel }).click();
      await expect(dialog).toContainText(startOf(t.renewal.cancelNote, { name }));
      await dialog.getByRole("button", { name: t.renewal.cancel }).click();
      await expect(page.getByText(t.products.ends)).toBeVisible();
      await picture(page, `renewal-${lang}`);
      await page.getByRole("button", { name: t.renewal.resume }).click();
      await dialog.getByRole("button", { name: t.renewal.resume }).click();
      await expect(page.getByText(t.products.ends)).toBeHidden();
      expect(consoleErrors).toEqual([]);
    });

    test("another plan is quoted, and its change is undone on the same screen", async ({ page, consoleErrors }) => {
      await gainSession(page, uniqueEmail(), lang);
      const { name } = await buyStatic(page, t, lang);
      await page.goto("/settings?tab=products");
      await expect(page.getByText(euros(2900), { exact: true }).first()).toBeVisible();
      await page.getByRole("link", { name: t.products.changePlan }).click();
      const yearly = page.getByText(say(t.plan.per.year, { amount: euros(2900) }));
      await expect(yearly).toBeVisible();
      await page.getByText(t.newProject.month, { exact: true }).click();
      await page.getByRole("button", { name: t.plan.choose }).click();
      const dialog = page.getByRole("dialog");
      await expect(dialog).toContainText(`−${euros(2900)}`);
      await expect(dialog).toContainText(`${t.plan.quote.balance}${euros(2600)}`);
      await picture(page, `plan-quote-${lang}`);
      await dialog.getByRole("button", { name: t.plan.confirm }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByText(say(t.plan.per.month, { amount: euros(300) }))).toBeVisible();
      await expect(page.getByText(startOf(t.plan.undoText))).toBeVisible();
      await picture(page, `plan-undo-${lang}`);
      await page.getByRole("button", { name: t.plan.undo }).click();
      await dialog.getByRole("button", { name: t.plan.confirm }).click();
      await expect(yearly).toBeVisible();
      await expect(page.getByRole("button", { name: t.plan.undo })).toBeHidden();
      await page.goto("/settings?tab=activity");
      const changed = startOf(t.activity.kinds.planChanged, { project: name });
      await expect(page.getByText(changed)).toHaveCount(2);
      expect(consoleErrors).toEqual([]);
    });
  });
}
