import type { Page } from "@playwright/test";
import { expect, inLanguage, type Nido, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const texts = {
  es: {
    choose: /^Elegir/,
    name: "Nombre del sitio",
    next: "Continuar",
    ask: "Pagar con una tarjeta que pide confirmación",
    asking: "Tu banco te pide que confirmes este pago.",
    refuse: "Rechazar",
    refused: "No has confirmado el pago.",
    confirm: "Confirmar",
    ready: "Tu sitio estático está listo",
    debit: /^Pagar por domiciliación SEPA/,
    processing: "Tu pago se está tramitando",
    pending: /^El pago de .* se está tramitando/,
    unconfirmed: /Tu banco te pide que confirmes.*Confirmar el pago/,
    failed: "El pago ha fallado",
  },
  en: {
    choose: /^Choose/,
    name: "Site name",
    next: "Continue",
    ask: "Pay with a card that asks for confirmation",
    asking: "Your bank asks you to confirm this payment.",
    refuse: "Refuse",
    refused: "You did not confirm the payment.",
    confirm: "Confirm",
    ready: "Your static site is ready",
    debit: /^Pay by SEPA direct debit/,
    processing: "Your payment is being processed",
    pending: /^The payment for .* is being processed/,
    unconfirmed: /Your bank asks you to confirm.*Confirm the payment/,
    failed: "The payment failed",
  },
};

for (const [lang, t] of Object.entries(texts)) {
  test(
    `a payment that the bank wants confirmed, when buying and when renewing, ${lang}`,
    inLanguage(lang),
    async ({ page, nido, context, consoleErrors }) => {
      await signInWithGoogle(page, uniqueEmail());
      await order(page, t, lang);
      await page.getByRole("button", { name: t.ask }).click();
      await expect(page.getByRole("status")).toHaveText(t.asking);
      await page.getByRole("button", { name: t.refuse }).click();
      await expect(page.getByRole("alert")).toContainText(t.refused);
      await page.getByRole("button", { name: t.ask }).click();
      await page.getByRole("button", { name: t.confirm, exact: true }).click();
      await expect(page.getByRole("heading", { name: t.ready })).toBeVisible();

      await page.goto("/projects");
      await happens(page, nido, "askPeriod");
      const debt = page.getByRole("link", { name: t.unconfirmed });
      await expect(debt).toBeVisible();
      const opening = context.waitForEvent("page");
      await debt.click();
      const invoice = await opening;
      // The provider's page is in the language of the account.
      await invoice.getByRole("button", { name: /^Confirm(ar)?$/ }).click();
      await expect(debt).toBeHidden();
      expect(consoleErrors).toEqual([]);
    },
  );

  test(
    `a direct debit: the name is held for days, then the site is made, or the buyer learns why not, ${lang}`,
    inLanguage(lang),
    async ({ page, nido, consoleErrors }) => {
      await signInWithGoogle(page, uniqueEmail());
      await order(page, t, lang);
      await page.getByRole("button", { name: t.debit }).click();
      await expect(page.getByRole("heading", { name: t.processing })).toBeVisible();
      const successPage = page.url();
      await page.goto("/projects");
      await expect(page.getByText(t.pending)).toBeVisible();
      await debitEnds(page, nido, "debitSucceeds");
      await expect(page.getByText(t.pending)).toBeHidden();
      await page.goto(successPage);
      await expect(page.getByRole("heading", { name: t.ready })).toBeVisible();

      await order(page, t, lang);
      await page.getByRole("button", { name: t.debit }).click();
      await expect(page.getByRole("heading", { name: t.processing })).toBeVisible();
      await debitEnds(page, nido, "debitFails");
      await expect(page.getByRole("heading", { name: t.failed })).toBeVisible();
      expect(consoleErrors).toEqual([]);
    },
  );
}

/** Orders a static site, up to the payment page. */
async function order(page: Page, t: (typeof texts)["es"], lang: string) {
  await page.goto(`/newproject?category=static&lang=${lang}`);
  await page.getByRole("button", { name: t.choose }).click();
  await page.getByLabel(t.name).fill(`site${Math.random().toString(36).slice(2, 10)}`);
  await page.getByRole("button", { name: t.next }).click();
  await page.waitForURL("**/stripe/pay/**");
}

/** Lets time pass for the customer's only subscription. */
async function happens(page: Page, nido: Nido, action: string) {
  const { projects } = await (await page.request.get("/redux")).json();
  const [project] = Object.values(projects as Record<string, { sub_id: string }>);
  await click(nido, project?.sub_id ?? "", action);
}

/** The bank has decided about the newest direct debit of the shop. */
async function debitEnds(page: Page, nido: Nido, action: string) {
  const { user } = await (await page.request.get("/redux")).json();
  const control = await (await fetch(`${nido.sandbox}/stripe`)).text();
  const own = control.split("<tr>").find((row) => row.includes(user.email) && row.includes(`value="${action}"`));
  await click(nido, /sub_sandbox\w+/.exec(own ?? "")?.[0] ?? "", action);
}

async function click(nido: Nido, subId: string, action: string) {
  const response = await fetch(`${nido.sandbox}/stripe/subscription/${subId}`, {
    method: "POST",
    body: new URLSearchParams({ action }),
    redirect: "manual",
  });
  expect(response.status).toBe(303);
}
