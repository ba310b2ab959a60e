import type { PlanOffers } from "@nido/contract";
import { openSeed } from "@nido/test-kit/seed";
import type { Page } from "@playwright/test";
import { anotherBrowser, expect, field, type Nido, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

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

/** Buys a static site in Spanish, from the plan list to the success page. */
async function buyStatic(page: Page, name: string) {
  await page.goto("/newproject?category=static");
  await page.getByRole("button", { name: /^Elegir/ }).click();
  await fillStep(page, siteName, name);
  await page.getByRole("button", { name: /^Pagar \d/ }).click();
  await expect(page.getByRole("heading", { name: "Tu sitio estático está listo" })).toBeVisible();
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

test("invoices and card at the provider; a failed payment and an ending are seen without reloading", async ({
  page,
  nido,
}) => {
  await signInWithGoogle(page, uniqueEmail());
  await page.goto("/settings?tab=products");
  await page.getByRole("button", { name: "Facturas y tarjeta" }).click();
  await expect(page.getByRole("alert")).toContainText("Todavía no tienes facturas");
  const name = newName();
  await buyStatic(page, name);
  await page.goto("/settings?tab=products");
  const portal = await page.context().newPage();
  await portal.goto("/settings?tab=products");
  await portal.getByRole("button", { name: "Facturas y tarjeta" }).click();
  await expect(portal.getByRole("heading", { name: "Facturas", exact: true })).toBeVisible();
  await portal.getByRole("link", { name: /-0001$/ }).click();
  await expect(portal.getByRole("cell", { name: "29,00 €" }).first()).toBeVisible();
  await portal.goBack();
  const subId = await portal.locator("[name=subscription]").getAttribute("value");

  await fetch(`${nido.sandbox}/stripe/subscription/${subId}`, {
    method: "POST",
    body: new URLSearchParams({ action: "failPeriod" }),
  });
  await expect(page.getByText("El último cobro ha fallado.")).toBeVisible();
  await fetch(`${nido.sandbox}/stripe/subscription/${subId}`, {
    method: "POST",
    body: new URLSearchParams({ action: "pay" }),
  });
  await expect(page.getByText("El último cobro ha fallado.")).toBeHidden();

  await portal.reload();
  await portal.getByRole("button", { name: "Cancelar al final del periodo" }).click();
  await expect(page.getByText("Termina el")).toBeVisible();
  await portal.getByRole("link", { name: "Volver" }).click();
  await expect(portal.getByRole("heading", { name })).toBeVisible();
});

test("a failed payment is told on the projects page and the project with its date, and is paid from there", async ({
  page,
  nido,
  context,
  consoleErrors,
}) => {
  await signInWithGoogle(page, uniqueEmail());
  const name = newName();
  await buyStatic(page, name);
  const { projects } = await (await page.request.get("/redux")).json();
  const [{ id, sub_id }] = Object.values<{ id: string; sub_id: string }>(projects) as [{ id: string; sub_id: string }];
  await page.goto("/projects");
  await fetch(`${nido.sandbox}/stripe/subscription/${sub_id}`, {
    method: "POST",
    body: new URLSearchParams({ action: "failPeriod" }),
    redirect: "manual",
  });
  const debt = page.getByRole("link", { name: /El último cobro ha fallado\. Si no pagas.*Pagar ahora/ });
  await expect(debt).toBeVisible();
  await page.screenshot({ path: "../test-results/screens/debt-projects.png", fullPage: true });
  await page.goto(`/projects/${id}`);
  await expect(debt).toBeVisible();
  await page.screenshot({ path: "../test-results/screens/debt-project.png", fullPage: true });
  await page.goto("/settings?tab=products");
  await expect(page.getByText(/Si no pagas, el sitio se suspenderá el \d/)).toBeVisible();
  await page.screenshot({ path: "../test-results/screens/debt-products.png", fullPage: true });
  const opening = context.waitForEvent("page");
  await page.getByRole("link", { name: "Pagar ahora", exact: true }).click();
  const invoice = await opening;
  await invoice.waitForURL(`${nido.sandbox}/stripe/invoice/**`);
  await invoice.getByRole("button", { name: "Pagar" }).click();
  await expect(page.getByText(/Si no pagas/)).toBeHidden();
  expect(consoleErrors).toEqual([]);
});

test("a disputed payment is told on every screen with what to do, until it is won", async ({
  page,
  nido,
  consoleErrors,
}) => {
  await signInWithGoogle(page, uniqueEmail());
  await buyStatic(page, newName());
  const { projects } = await (await page.request.get("/redux")).json();
  const [{ id, sub_id }] = Object.values<{ id: string; sub_id: string }>(projects) as [{ id: string; sub_id: string }];
  const happens = (action: string) =>
    fetch(`${nido.sandbox}/stripe/subscription/${sub_id}`, {
      method: "POST",
      body: new URLSearchParams({ action }),
      redirect: "manual",
    });
  await page.goto("/projects");
  await happens("dispute");
  const trouble = page.getByRole("link", { name: /tu banco ha abierto una disputa por un pago.*retire la disputa/ });
  await expect(trouble).toBeVisible();
  await page.goto(`/projects/${id}`);
  await expect(trouble).toBeVisible();
  await expect(page.getByText("Pago en disputa")).toBeVisible();
  await trouble.click();
  await expect(page.getByText("Pago en disputa")).toBeVisible();
  await expect(page.getByRole("link", { name: "support@nido.example" }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: /Cancelar la renovación/ })).toBeHidden();
  await page.screenshot({ path: "../test-results/screens/dispute-products.png", fullPage: true });
  await page.goto("/settings?tab=activity");
  await expect(page.getByText(/porque tu banco ha abierto una disputa por su pago/)).toBeVisible();
  await happens("winDispute");
  await expect(page.getByText(/vuelve a estar activo/)).toBeVisible();
  expect(consoleErrors).toEqual([]);
});

test("what the payment service refuses is told at its row, and where the number on invoices comes from", async ({
  page,
}) => {
  await signInWithGoogle(page, uniqueEmail());
  await buyStatic(page, newName());
  await page.goto("/settings");
  await page.getByRole("button", { name: /Empresa/ }).click();
  await field(page, "NIF o NIF-IVA").fill("B12345678");
  await page.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByText("Añade el país a tu dirección.")).toBeVisible();
  await page.screenshot({ path: "../test-results/screens/refused-es.png", fullPage: true });
  await page.getByRole("button", { name: /Dirección/ }).click();
  await field(page, "País").selectOption("ES");
  await page.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByText("NIF en tus facturas: B12345678")).toBeVisible();
  await page.screenshot({ path: "../test-results/screens/on-invoices-es.png", fullPage: true });
});

test("invoices are listed with their page and PDF; the renewal is cancelled and resumed on the same screen", async ({
  page,
  context,
  nido,
  consoleErrors,
}) => {
  await signInWithGoogle(page, uniqueEmail());
  const name = newName();
  await buyStatic(page, name);
  await page.goto("/settings?tab=products");
  const invoices = page.getByRole("region", { name: "Facturas" });
  const invoice = invoices.getByRole("listitem");
  await expect(invoice).toContainText("29,00 €");
  await expect(invoice).toContainText("Pagada");
  const opening = context.waitForEvent("page");
  await invoice.getByRole("link", { name: /^Abrir/ }).click();
  await (await opening).waitForURL(`${nido.sandbox}/stripe/invoice/**`);

  await page.getByRole("button", { name: /^Cancelar la renovación/ }).click();
  await expect(page.getByRole("dialog")).toContainText(`${name} seguirá en línea hasta el`);
  await page.getByRole("dialog").getByRole("button", { name: "Cancelar la renovación" }).click();
  await expect(page.getByText("Termina el")).toBeVisible();
  await page.screenshot({ path: "../test-results/screens/renewal-es.png", fullPage: true });
  await page.getByRole("button", { name: /^Reactivar la renovación/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Reactivar la renovación" }).click();
  await expect(page.getByText("Termina el")).toBeHidden();
  expect(consoleErrors).toEqual([]);
});

test("another plan is quoted, and its change is undone on the same screen", async ({ page, consoleErrors }) => {
  await signInWithGoogle(page, uniqueEmail());
  const name = newName();
  await buyStatic(page, name);
  await page.goto("/settings?tab=products");
  await expect(page.getByText("29,00 €", { exact: true }).first()).toBeVisible();
  await page.getByRole("link", { name: /^Cambiar de plan/ }).click();
  await expect(page.getByText("29,00 € al año, sin IVA")).toBeVisible();
  await page.getByText("Mensual").click();
  await page.getByRole("button", { name: /^Elegir/ }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("−29,00 €");
  await expect(dialog).toContainText("Saldo a favor que te queda26,00 €");
  await page.screenshot({ path: "../test-results/screens/plan-quote-es.png" });
  await dialog.getByRole("button", { name: "Cambiar de plan" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText("3,00 € al mes, sin IVA")).toBeVisible();
  await expect(page.getByText("No se te ha cobrado nada por el último cambio")).toBeVisible();
  await page.screenshot({ path: "../test-results/screens/plan-undo-es.png", fullPage: true });
  await page.getByRole("button", { name: "Deshacer el cambio" }).click();
  await dialog.getByRole("button", { name: "Cambiar de plan" }).click();
  await expect(page.getByText("29,00 € al año, sin IVA")).toBeVisible();
  await expect(page.getByRole("button", { name: "Deshacer el cambio" })).toBeHidden();
  await page.goto("/settings?tab=activity");
  await expect(page.getByText(`El plan de ${name} es ahora`)).toHaveCount(2);
  expect(consoleErrors).toEqual([]);
});
