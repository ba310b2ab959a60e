import type { PlanOffers } from "@nido/contract";
import { openSeed } from "@nido/test-kit/seed";
import type { Page } from "@playwright/test";
import { anotherBrowser, expect, type Nido, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const siteName = /Nombre del sitio|Site name/;
const newName = () => `site${Math.random().toString(36).slice(2, 10)}`;

async function planOf(nido: Nido, recipe: string): Promise<string> {
  const category = recipe.startsWith("static") ? "static" : "wordpress";
  const response = await fetch(`${nido.origin}/billing/products?recipe_category=${category}`);
  const { year } = (await response.json()) as PlanOffers;
  return year.find(({ product }) => product.metadata.recipe === recipe)?.plan.id ?? "";
}

async function fillStep(page: Page, label: RegExp, text: string) {
  await page.getByLabel(label).fill(text);
  await page.getByRole("button", { name: /^(Continuar|Continue)$/ }).click();
}

test("a visitor names a WordPress, signs in for the purchase, pays, and has the project", async ({
  page,
  nido,
  consoleErrors,
}) => {
  const name = newName();
  await page.goto(`/newproject/wp/1?plan=${await planOf(nido, "wordpress_pro")}&category=wordpress`);
  await fillStep(page, siteName, name);
  await fillStep(page, /WordPress/, "lucia");
  await expect(page.getByRole("heading", { name: "Inicia sesión para comprar" })).toBeVisible();
  await page.getByRole("link", { name: /Google/ }).click();
  await page.getByLabel("Correo", { exact: true }).fill(uniqueEmail());
  await page.getByRole("button", { name: "Continuar" }).click();

  await page.waitForURL(`${nido.sandbox}/stripe/pay/**`);
  await expect(page.getByText("WordPress pro")).toBeVisible();
  await expect(page.getByRole("button", { name: "Pagar 119,00 €" })).toBeVisible();
  await page.getByRole("button", { name: "Pagar 119,00 €" }).click();
  await expect(page.getByRole("heading", { name: "Estamos creando tu WordPress" })).toBeVisible();

  await page.goto("/projects");
  const card = page.getByRole("listitem").filter({ hasText: name });
  await expect(card).toContainText("WordPress Pro");
  await page.goto("/settings?tab=products");
  await expect(page.getByRole("heading", { name })).toBeVisible();
  await expect(page.getByText("119,00 € sin IVA")).toBeVisible();
  expect(consoleErrors).toEqual([]);
});

test("signed in, in English: declined, then paid; the site has its welcome page", async ({ page, nido, context }) => {
  await signInWithGoogle(page, uniqueEmail());
  const name = newName();
  await page.goto("/selectcategory?lang=en");
  await page.getByRole("link", { name: /Static/ }).click();
  await page.getByRole("button", { name: /^Choose/ }).click();
  await fillStep(page, siteName, name);
  await page.waitForURL(`${nido.sandbox}/stripe/pay/**`);
  await page.getByRole("button", { name: "Pay with a card that is declined" }).click();
  await expect(page.getByRole("alert")).toHaveText("Your card was declined.");
  await page.getByRole("button", { name: "Pay €29.00" }).click();
  await expect(page.getByRole("heading", { name: "Your static site is ready" })).toBeVisible();

  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Visit" }).click();
  const site = await opened;
  await expect(site.getByRole("heading", { name: `${name} está casi en línea` })).toBeVisible();
  expect(new URL(site.url()).hostname).toBe(`${name}.localhost`);
  await page.getByRole("link", { name: "Manage" }).click();
  await expect(page.getByRole("heading", { name })).toBeVisible();
});

test("cancelled, the customer is back where they were, the name still theirs, and goes on", async ({ page, nido }) => {
  await signInWithGoogle(page, uniqueEmail());
  const name = newName();
  await page.goto(`/newproject/wp/1?plan=${await planOf(nido, "wordpress_starter")}&category=wordpress`);
  await fillStep(page, siteName, name);
  await fillStep(page, /WordPress/, "lucia");
  await page.waitForURL(`${nido.sandbox}/stripe/pay/**`);
  const first = page.url();
  await page.getByRole("link", { name: "Volver sin pagar" }).click();
  await expect(page.getByText("No has pagado nada. Te guardamos el nombre")).toBeVisible();
  await expect(page.getByLabel("Usuario de WordPress")).toHaveValue("lucia");

  await page.getByRole("link", { name: "Atrás" }).click();
  await expect(page.getByLabel("Nombre del sitio")).toHaveValue(name);
  await expect(page.getByText("Está disponible", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Continuar" }).click();
  await page.getByRole("button", { name: "Continuar" }).click();
  await page.waitForURL(first);
  await page.getByRole("button", { name: /^Pagar \d/ }).click();
  await expect(page.getByRole("heading", { name: "Estamos creando tu WordPress" })).toBeVisible();
});

test("a name that somebody else is buying is taken", async ({ page, nido, browser }) => {
  await signInWithGoogle(page, uniqueEmail());
  const name = newName();
  const query = `plan=${await planOf(nido, "static_starter")}&domain=${name}&category=static`;
  await page.goto(`/newproject/purchase?${query}`);
  await page.waitForURL(`${nido.sandbox}/stripe/pay/**`);
  const other = await anotherBrowser(browser, nido);
  await signInWithGoogle(other.page, uniqueEmail());
  await other.page.goto(`/newproject/purchase?${query}`);
  await expect(other.page.getByText("Alguien se ha quedado con ese nombre mientras comprabas.")).toBeVisible();
  await expect(other.page.getByText("Ya está ocupado")).toBeVisible();

  await page.getByRole("button", { name: "Dejar que caduque" }).click();
  await expect(page.getByText("Este pago ya no está abierto.")).toBeVisible();
  await expect(async () => {
    await other.page.reload();
    await expect(other.page.getByText("Está disponible", { exact: true })).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await other.context.close();
});

test("an invitation: the discount is seen before paying, the referrer earns and asks for it, and it works once", async ({
  page,
  nido,
  browser,
}) => {
  const email = uniqueEmail();
  await signInWithGoogle(page, email);
  await page.goto("/settings/referrals");
  await expect(page.getByText("20 % de descuento en su primera compra")).toBeVisible();
  await expect(page.getByText("Aún no tienes ganancias pendientes")).toBeVisible();
  const link = (await page.getByText(/promo=/).textContent()) ?? "";

  const invitee = await anotherBrowser(browser, nido);
  await signInWithGoogle(invitee.page, uniqueEmail());
  await invitee.page.goto(link);
  await invitee.page.getByRole("link", { name: /[Ee]státic/ }).click();
  await expect(invitee.page.getByText("Tu código te da un 20 % de descuento en el primer pago.")).toBeVisible();
  await invitee.page.getByRole("button", { name: /^Elegir/ }).click();
  await fillStep(invitee.page, siteName, newName());
  await expect(invitee.page.getByText("−5,80 €")).toBeVisible();
  await invitee.page.getByRole("button", { name: "Pagar 23,20 €" }).click();
  await expect(invitee.page.getByRole("heading", { name: "Tu sitio estático está listo" })).toBeVisible();

  await expect(async () => {
    await page.goto("/settings/referrals");
    await expect(page.getByText("2,32 €", { exact: true }).first()).toBeVisible({ timeout: 10_000 });
  }).toPass();
  await expect(page.getByText("De ellas, 2,32 € todavía no se pueden cobrar")).toBeVisible();
  await expect(page.getByRole("button", { name: "Solicitar el pago" })).toBeDisabled();
  const seed = await openSeed(nido.databaseUrl, email);
  await seed.endHolding();
  await seed.close();
  await page.reload();
  await page.getByRole("button", { name: "Solicitar el pago" }).click();
  await page.getByLabel("IBAN", { exact: true }).fill("ES91 2100 0418 4502 0005 1332");
  await page.getByRole("button", { name: "Guardar" }).click();
  await page.getByRole("button", { name: "Solicitar el pago" }).click();
  await expect(page.getByText("Hemos recibido tu solicitud.")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: "Solicitado el" })).toContainText("2,32 €");
  await page.reload();
  await expect(page.getByRole("button", { name: "Solicitar el pago" })).toBeDisabled();

  const again = new URL(link);
  const query = new URLSearchParams({
    plan: await planOf(nido, "static_starter"),
    domain: newName(),
    category: "static",
    promo: again.searchParams.get("promo") ?? "",
  });
  // A used promotion is not promised again.
  await invitee.page.goto(link);
  await expect(invitee.page.getByText("Ya has usado un código promocional con esta cuenta")).toBeVisible();
  await expect(invitee.page.getByText("20 % de descuento")).toHaveCount(0);
  await invitee.page.goto(`/newproject/purchase?${query}`);
  await expect(invitee.page.getByRole("heading", { level: 1 })).toHaveText("Error con el código promocional");
  await expect(invitee.page.getByText("Ya has usado un código promocional con esta cuenta")).toBeVisible();
  await invitee.page.getByRole("link", { name: "Comprar sin el código" }).click();
  await expect(invitee.page.getByRole("button", { name: "Pagar 29,00 €" })).toBeVisible();

  await page.goto(`/newproject/purchase?${query}`);
  await expect(page.getByText("Este es tu propio código")).toBeVisible();
  await invitee.context.close();
});
