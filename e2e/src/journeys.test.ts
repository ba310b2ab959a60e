import type { PlanOffers } from "@nido/contract";
import { whyNoPictures } from "@nido/test-kit/whyNoPictures";
import type { Page } from "@playwright/test";
import { zipSync } from "fflate";
import { anotherBrowser, expect, field, gainSession, type Nido, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const newName = () => `j${Math.random().toString(36).slice(2, 10)}`;
const iban = "ES91 2100 0418 4502 0005 1332";

async function goOn(page: Page) {
  await page.getByRole("button", { name: "Continuar", exact: true }).click();
}

async function staticPlan(nido: Nido): Promise<string> {
  const response = await fetch(`${nido.origin}/billing/products?recipe_category=static`);
  return ((await response.json()) as PlanOffers).year[0]?.plan.id ?? "";
}

test.describe("buying", () => {
  test("a visitor without a plan is led to the plans, then to the payment; nothing is asked twice", async ({
    page,
    nido,
  }) => {
    const name = newName();
    await page.goto("/newproject/wp/1");
    await page.getByLabel("Nombre del sitio").fill(name);
    await goOn(page);
    await page.getByLabel("Usuario de WordPress").fill("lucia");
    await goOn(page);
    await expect(page.getByRole("heading", { name: "Elige tu plan WordPress" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Tu pedido" })).toContainText(`${name}.localhost`);
    await page
      .getByRole("article", { name: /pro/i })
      .getByRole("button", { name: /^Elegir/ })
      .click();
    await expect(page.getByRole("heading", { name: "Inicia sesión para comprar" })).toBeVisible();
    // Back at the plans, none is chosen yet.
    await page.goBack();
    await expect(page.getByRole("region", { name: "Tu pedido" })).not.toContainText("€");
    await page.goForward();
    await page.getByRole("link", { name: /Google/ }).click();
    await page.getByLabel("Correo", { exact: true }).fill(uniqueEmail());
    await page.getByRole("button", { name: "Continuar" }).click();
    await page.waitForURL(`${nido.sandbox}/stripe/pay/**`);
    await expect(page.getByText("WordPress pro")).toBeVisible();
  });

  test("the order grows with each step, and is complete before the payment", async ({ page, nido }) => {
    await page.goto("/selectcategory");
    await page.getByRole("link", { name: /Estático/ }).click();
    await expect(page.getByText(/^Ahorras \d/)).toBeVisible();
    await page.getByRole("button", { name: /^Elegir/ }).click();
    const order = page.getByRole("region", { name: "Tu pedido" });
    await expect(order).toContainText("Estático");
    await expect(order).toContainText("29,00 € al año");
    const name = newName();
    await page.getByLabel("Nombre del sitio").fill(name);
    await expect(order).toContainText(`${name}.${new URL(nido.origin).host}`);
    await expect(order).toContainText("29,00 € sin IVA");
  });

  test("an invitation says who invites and what it saves, and strikes the old price through", async ({
    page,
    browser,
    nido,
    customer,
  }) => {
    await page.goto("/projects");
    const visitor = await anotherBrowser(browser, nido);
    await visitor.page.goto(`/selectcategory?promo=${customer.refcode}`);
    await expect(visitor.page.getByRole("heading", { name: "Lucía te invita a crear tu sitio" })).toBeVisible();
    await expect(visitor.page.getByText(/20 % de descuento en el primer pago/)).toBeVisible();
    await visitor.page.getByRole("link", { name: /Estático/ }).click();
    await expect(visitor.page.getByRole("article").locator("s")).toHaveText(/2,42/);
    await expect(visitor.page.getByText("23,20 € el primer año, después 29,00 €")).toBeVisible();
    // It still counts for whoever comes back without the link.
    await visitor.page.goto("/selectcategory");
    await expect(visitor.page.getByRole("heading", { name: "Lucía te invita a crear tu sitio" })).toBeVisible();
    await visitor.context.close();

    // The customer's own code is not promised to them.
    await page.goto(`/newproject?category=static&promo=${customer.refcode}`);
    await expect(page.getByText(/Puedes comprar sin el código/)).toBeVisible();
    await expect(page.getByRole("article").locator("s")).toHaveCount(0);
  });

  test("a taken name gets suggestions that are free", async ({ page, customer }) => {
    const name = `${newName()}x`; // suggestions leave out the digits at a name's end
    await customer.addProject(name);
    await page.goto("/newproject/static/1");
    await page.getByLabel("Nombre del sitio").fill(name);
    await page.getByRole("button", { name: `mi${name}` }).click();
    await expect(page.getByLabel("Nombre del sitio")).toBeFocused();
    await expect(page.getByLabel("Nombre del sitio")).toHaveValue(`mi${name}`);
    await expect(page.getByText("Está disponible")).toBeVisible();
    await page.getByLabel("Nombre del sitio").fill("Panadería Luz");
    await expect(page.getByLabel("Nombre del sitio")).toHaveValue("panaderialuz");
  });

  test("whoever goes back to the plans sees the interval that they chose", async ({ page }) => {
    await page.goto("/selectcategory");
    await expect(page.getByText("Desde 2,42 € al mes, sin IVA")).toBeVisible();
    await page.getByRole("link", { name: /WordPress/ }).click();
    await page.getByText("Mensual").click();
    await page
      .getByRole("button", { name: /Elegir/ })
      .first()
      .click();
    await page.getByRole("link", { name: "Atrás" }).click();
    await expect(page.getByRole("radio", { name: "Mensual" })).toBeChecked();
  });

  test("the browser's Back keeps what was typed; rules are neutral before, and describe the field", async ({
    page,
  }) => {
    const name = newName();
    await page.goto("/newproject/wp/1?plan=price_1");
    const input = page.getByLabel("Nombre del sitio");
    await expect(page.getByRole("img", { name: "Sin cumplir" })).toHaveCount(0);
    const rules = await input.getAttribute("aria-describedby");
    await expect(page.locator(`[id="${rules}"]`)).toContainText("Al menos 5 caracteres");
    await input.fill(name);
    await goOn(page);
    await page.getByLabel("Usuario de WordPress").fill("luc");
    await page.goBack();
    await expect(input).toHaveValue(name);
    await goOn(page);
    await expect(page.getByLabel("Usuario de WordPress")).toHaveValue("luc");
  });

  test("an expired checkout says so, and leads back with everything filled in", async ({ page, nido, customer }) => {
    expect(customer).toBeTruthy();
    const name = newName();
    await page.goto(`/newproject/purchase?category=static&plan=${await staticPlan(nido)}&domain=${name}`);
    await page.getByRole("button", { name: "Dejar que caduque" }).click();
    // The provider reports it by a webhook.
    const state = async () => (await (await page.request.get(`${nido.origin}/billing/checkout/${name}`)).json()).state;
    await expect.poll(state).toBe("expired");
    await page.getByRole("link", { name: "Volver sin pagar" }).click();
    await expect(page.getByText("La página de pago ha caducado y el nombre ya no está reservado.")).toBeVisible();
    await expect(page.getByLabel("Nombre del sitio")).toHaveValue(name);
    await page.goto(`/newproject/static/success?domain=${name}`);
    await expect(page.getByRole("heading", { name: "La página de pago ha caducado" })).toBeVisible();
  });

  test("success pages without a purchase say so", async ({ page, customer }) => {
    expect(customer).toBeTruthy();
    for (const path of ["static/success", "static/success?domain=nothing", "wp/success", "wp/success?taskId=nothing"]) {
      await page.goto(`/newproject/${path}`);
      await expect(page.getByRole("heading", { name: "No encontramos esta compra" })).toBeVisible();
    }
  });

  test("while the server is away, the progress says so and then goes on by itself", async ({ page, customer }) => {
    const task = await customer.addTask({
      state: "running",
      progress: [{ progress: 0.4, message: "initializing_wordpress" }],
    });
    await page.goto(`/newproject/wp/success?taskId=${task}`);
    await expect(page.getByRole("progressbar")).toHaveAttribute("value", "40");
    await page.route("**/api/tasks/*", (route) => route.abort());
    await expect(page.getByText(/Hemos perdido la conexión/)).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Estamos creando tu WordPress");
    await customer.setTask(task, { state: "completed", progress: [{ progress: 1, message: "done" }] });
    await page.unroute("**/api/tasks/*");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Tu WordPress está listo");
  });

  test("the success page is a beginning: address, receipt, domain, invitation", async ({ page, nido, customer }) => {
    expect(customer).toBeTruthy();
    const name = newName();
    await page.goto(`/newproject/purchase?category=static&plan=${await staticPlan(nido)}&domain=${name}`);
    await page.getByRole("button", { name: /^Pagar \d/ }).click();
    const steps = page.getByRole("region", { name: "Primeros pasos" });
    await expect(steps).toContainText(`${name}.localhost`);
    await expect(steps.getByRole("link", { name: /Invita a alguien/ })).toHaveAttribute("href", "/settings/referrals");
    const receipt = page.context().waitForEvent("page");
    await steps.getByRole("link", { name: /Consulta tu factura/ }).click();
    await expect((await receipt).getByText("29,00 €").first()).toBeVisible();
    await steps.getByRole("link", { name: /Conecta tu dominio/ }).click();
    await expect(page.getByText(`Se añadirá a ${name}.`)).toBeVisible();
  });
});

test.describe("the frame", () => {
  test("stays while a screen cannot be loaded, and the screen comes by itself", async ({ page, customer }) => {
    expect(customer).toBeTruthy();
    await page.goto("/projects");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Proyectos");
    const isAway = (url: URL) => /SettingsScreen-.*\.js|\/api\/settings/.test(url.href);
    await page.route(isAway, (route) => route.abort());
    await page.getByRole("navigation", { name: "Principal" }).getByRole("link", { name: "Ajustes" }).click();
    await page.waitForTimeout(1000);
    await expect(page.getByRole("navigation", { name: "Principal" })).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Proyectos");
    await page.unroute(isAway);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ajustes");
  });

  test("loads the new version once when its parts have vanished with a deploy", async ({ page, customer }) => {
    expect(customer).toBeTruthy();
    await page.goto("/projects");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Proyectos");
    let requests = 0;
    await page.route(/SettingsScreen-.*\.js/, (route) =>
      ++requests <= 2 ? route.fulfill({ status: 404 }) : route.continue(),
    );
    await page.getByRole("navigation", { name: "Principal" }).getByRole("link", { name: "Ajustes" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ajustes");
    await page.route(/NewDomainScreen-.*\.js/, (route) => route.fulfill({ status: 404 }));
    await page.goto("/newdomain");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Algo ha fallado en esta página");
    await expect(page.getByRole("navigation", { name: "Principal" })).toBeVisible();
  });

  test("the account menu changes language and theme, and signs out", async ({ page, customer }) => {
    expect(customer).toBeTruthy();
    await page.goto("/projects");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Proyectos");
    const menu = page.getByRole("dialog", { name: "Cuenta" });
    await page.getByRole("button", { name: /Cuenta/ }).click();
    await menu.getByText("Oscuro").click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await menu.getByText("Sistema").click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await page.keyboard.press("Escape");
    await expect(menu).toBeHidden();
    await page.getByRole("button", { name: /Cuenta/ }).click();
    await menu.getByText("Inglés").click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Projects");
    await page.getByRole("dialog", { name: "Account" }).getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  });

  test("the command palette finds projects, domains, settings and actions", async ({ page, customer }) => {
    const name = newName();
    const id = await customer.addProject(name);
    await customer.addDomain(id, `tienda-${name}.example`);
    await page.goto("/settings");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ajustes");
    for (const [typed, path] of [
      [`${name} proyecto`, `/projects/${id}`],
      [`tienda-${name}`, `/projects/${id}?tab=configuration`],
      ["referidos", "/settings?tab=referrals"],
      ["nuevo proyecto", "/selectcategory"],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox").fill(typed);
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(path);
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("nada se llama así");
    await expect(page.getByText("No hay resultados. Prueba con otra palabra.")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  });
});

test.describe("an account", () => {
  test("signing out keeps its language", async ({ browser, nido }) => {
    const context = await browser.newContext({ baseURL: nido.origin });
    const page = await context.newPage();
    await gainSession(page, uniqueEmail(), "en");
    await page.goto("/settings");
    await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await context.close();
  });

  test("a session that was ended elsewhere is told why; every success says so", async ({ page, browser, nido }) => {
    const email = uniqueEmail();
    await signInWithGoogle(page, email);
    const other = await anotherBrowser(browser, nido);
    await gainSession(other.page, email);
    await other.page.goto("/settings?tab=security");
    await other.page.getByRole("button", { name: /Cerrar (todas )?las demás/ }).click();
    await expect(other.page.getByText("Se ha cerrado 1 sesión")).toBeVisible();
    await expect(page.getByText(/Tu sesión se ha cerrado/)).toBeVisible();
    await other.context.close();
  });

  test("a wrong current password stands under it; a postal code belongs to its country", async ({ page, nido }) => {
    await page.goto("/login");
    await page.getByLabel("Correo").fill("demo@nido.example");
    await page.getByLabel("Contraseña").fill("Demo1234");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("navigation", { name: "Principal" })).toBeVisible();
    await page.goto(`${nido.origin}/settings`);
    await page.getByRole("button", { name: "Cambiar Contraseña" }).click();
    await field(page, "Contraseña actual").fill("Equivocada1");
    await field(page, "Contraseña nueva").fill("Distinta1234");
    await page.getByRole("button", { name: "Guardar" }).click();
    const note = await field(page, "Contraseña actual").getAttribute("aria-describedby");
    await expect(page.locator(`[id="${note}"]`)).toHaveRole("alert");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /(Editar|Añadir) Dirección/ }).click();
    await field(page, "Código postal").fill("99999");
    await field(page, "País").selectOption("ES");
    await page.getByRole("button", { name: "Guardar" }).click();
    await expect(page.getByText("Ese código postal no corresponde al país.")).toBeVisible();
    await field(page, "Código postal").fill("28013");
    await page.getByRole("button", { name: "Guardar" }).click();
    await expect(page.getByText("Dirección guardada", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Editar Dirección" })).toBeFocused();
  });

  test("a requested payout stays in sight: amount, date, state and account", async ({ page, customer }) => {
    await customer.addEarning(1234);
    await page.goto("/settings/referrals");
    await expect(page.getByText("Tu parte de un pago de")).toBeVisible();
    await page.getByRole("button", { name: "Solicitar el pago" }).click();
    await field(page, "IBAN").fill("ES00 0000");
    await page.getByRole("button", { name: "Guardar" }).click();
    await expect(page.getByText("Ese IBAN no es válido.")).toBeVisible();
    await field(page, "IBAN").fill(iban);
    await page.getByRole("button", { name: "Guardar" }).click();
    await expect(page.getByText("Cuenta que termina en 1332")).toBeVisible();
    await page.getByRole("button", { name: "Solicitar el pago" }).click();
    const requested = page.getByRole("listitem").filter({ hasText: "Solicitado el" });
    await expect(requested).toContainText("12,34 €");
    await expect(requested).toContainText("1332");
    await page.reload();
    await expect(requested).toBeVisible();
  });
});

test.describe("a project", () => {
  test("shows a failing domain and a cancelled subscription on its card and page, with what happens when", async ({
    page,
    customer,
  }) => {
    const id = await customer.addProject(newName(), { isEnding: true });
    const domain = `${newName()}.example`;
    await customer.addDomain(id, domain, { status: "failing", reason: "error_domain_not_configured" });
    for (const path of ["/projects", `/projects/${id}`]) {
      await page.goto(path);
      await expect(page.getByRole("main").getByText(`${domain} tiene un problema de DNS`)).toBeVisible();
      await expect(page.getByRole("main").getByText("el sitio funcionará hasta el 15 de enero de 2027")).toBeVisible();
    }
  });

  test("its card, overview and Visit use the primary domain, which is the first row", async ({ page, customer }) => {
    const name = newName();
    const id = await customer.addProject(name);
    await customer.addDomain(id, `a-${name}.example`, { status: "verified" });
    await customer.addDomain(id, `z-${name}.example`, { status: "verified", isPrimary: true });
    await page.goto("/projects");
    await expect(page.getByRole("listitem").filter({ hasText: name })).toContainText(`z-${name}.example`);
    await page.goto(`/projects/${id}`);
    await expect(page.getByRole("link", { name: "Visitar" })).toHaveAttribute(
      "href",
      new RegExp(`//z-${name}.example`),
    );
    await page.goto(`/projects/${id}?tab=configuration`);
    const rows = page.getByRole("main").locator("summary");
    await expect(rows.first()).toContainText(`z-${name}.example`);
    await expect(page.getByRole("main").getByRole("listitem").nth(1)).toContainText(`${name}.localhost`);
  });

  test("a static site's address is the domain that its owner makes primary", async ({ page, customer }) => {
    const name = newName();
    const id = await customer.addProject(name, { recipe: "static_starter" });
    await customer.addDomain(id, `a-${name}.example`, { status: "verified" });
    await customer.addDomain(id, `z-${name}.example`, { status: "verified" });
    await customer.addDomain(id, `new-${name}.example`, { status: "pending" });
    await page.goto(`/projects/${id}`);
    const main = page.getByRole("main");
    await expect(main.getByRole("link", { name: "1 dominio por configurar" })).toBeVisible();
    await expect(main.getByText("Nada publicado todavía").first()).toBeVisible();
    await page.goto(`/projects/${id}?tab=configuration`);
    await expect(main.getByRole("listitem").filter({ hasText: `a-${name}` })).toContainText("Principal");
    await main.locator("summary", { hasText: `z-${name}.example` }).click();
    await main.getByRole("button", { name: `Hacer principal: z-${name}.example` }).click();
    await expect(main.getByRole("listitem").filter({ hasText: `z-${name}` })).toContainText("Principal");
    await page.goto("/projects");
    await expect(page.getByRole("link", { name: `z-${name}.example` })).toBeVisible();
  });

  test("its screens can be opened in another tab", async ({ page, customer }) => {
    const name = newName();
    const id = await customer.addProject(name, { recipe: "static_starter" });
    await page.goto(`/projects/${id}?tab=configuration`);
    for (const link of ["Añadir dominio", "Eliminar este proyecto"]) {
      const href = await page.getByRole("main").getByRole("link", { name: link }).getAttribute("href");
      const tab = await page.context().newPage();
      await tab.goto(String(href));
      await expect(tab.getByRole("main")).toContainText(name);
      await tab.close();
    }
  });

  test("what failed for lack of a network is not done later", async ({ page, customer }) => {
    const name = newName();
    const id = await customer.addProject(name, { recipe: "static_starter" });
    await page.goto(`/deleteproject?project=${id}`);
    await page.getByRole("textbox").fill(name);
    await page.context().setOffline(true);
    await expect(page.getByText("No podemos conectar con el servidor")).toBeVisible();
    await page.getByRole("button", { name: "Eliminar", exact: false }).last().click();
    await expect(page.getByRole("alert")).toContainText("No hemos podido conectar");
    await page.context().setOffline(false);
    await expect(page.getByText("No podemos conectar con el servidor")).toHaveCount(0);
    await page.waitForTimeout(2000);
    await page.goto(`/projects/${id}`);
    await expect(page.getByRole("heading", { name, exact: true })).toBeVisible();
  });

  test("deleting a domain says what depends on it, and the redirecting twin goes with it", async ({
    page,
    customer,
  }) => {
    const name = newName();
    const id = await customer.addProject(name);
    await page.goto(`/projects/${id}?tab=configuration`);
    await page.getByRole("link", { name: "Añadir dominio" }).click();
    await page.getByLabel("Dominio").fill(`www.${name}.com`);
    await page.getByRole("button", { name: "Añadir dominio" }).click();
    await expect(page.getByText("Dominio añadido", { exact: true })).toBeVisible();
    await expect(page.getByText(`→ www.${name}.com`)).toBeVisible();
    // The records as registrars ask for them.
    await expect(page.getByRole("button", { name: `Copiar: Host o nombre (CNAME www.${name}.com)` })).toBeVisible();
    await expect(page.getByRole("main").getByText("www", { exact: true })).toBeVisible();
    await expect(page.getByRole("main").getByText("@", { exact: true }).first()).toBeVisible();

    await page.getByRole("link", { name: `Eliminar dominio www.${name}.com` }).click();
    await expect(page.getByText(`${name}.com lleva a él y se eliminará también.`)).toBeVisible();
    await page.getByRole("button", { name: "Eliminar dominio" }).click();
    await expect(page.getByText("Dominio eliminado", { exact: true })).toBeVisible();
    await expect(page.getByText(`${name}.com`)).toHaveCount(0);
  });

  test("the focus stays near a button that its action removes", async ({ page, customer }) => {
    const name = newName();
    const id = await customer.addProject(name);
    await customer.addDomain(id, `${name}.example`, { status: "verified" });
    await page.goto(`/projects/${id}?tab=configuration`);
    await page
      .locator("summary")
      .filter({ hasText: `${name}.example` })
      .click();
    await page.getByRole("button", { name: `Hacer principal: ${name}.example` }).click();
    await expect(page.getByText("Dominio principal cambiado", { exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  });

  test("counts its visits in charts, with a table behind each", async ({ page, customer, nido, browser }) => {
    const name = newName();
    const id = await customer.addProject(name, { recipe: "static_starter" });
    await publishFolder(page, id, { "index.html": "<h1>Hola</h1>" });
    // Chromium without a window names itself, and would count as a program.
    const userAgent =
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";
    const visitors = await browser.newContext({ userAgent });
    for (let count = 0; count < 3; count++) await (await visitors.newPage()).goto(siteOf(nido, name));
    await visitors.close();
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole("img", { name: "Visitas: 3" })).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 40_000 });
    await page.getByText("Ver como tabla").first().click();
    await expect(page.getByRole("table", { name: "Visitas" }).getByRole("row").first()).toContainText("3");
    await page.getByText("1 año").click();
    await expect(page.getByRole("img", { name: "Visitas: 3" })).toBeVisible();
  });

  test("a folder is published from the browser, with what changes; a missing page is in the visitor's language", async ({
    page,
    customer,
    nido,
    browser,
  }) => {
    const name = newName();
    const id = await customer.addProject(name, { recipe: "static_starter" });
    await publishFolder(page, id, { "index.html": "<h1>Hola</h1>", "css/main.css": "h1{color:red}" });
    const deploys = page.getByRole("main").getByRole("listitem").filter({ hasText: "2 archivos" });
    await expect(deploys).toContainText("+2 ~0 −0");
    await expect(deploys).toContainText("Chrom");
    await expect(page.getByText("npm install -g")).toBeHidden();
    const whyNot = whyNoPictures();
    if (whyNot) console.log(`Not checked: the picture of the site, because ${whyNot}`);
    else await expect(page.locator("img[src*='/picture']")).toBeVisible();
    for (const [locale, text] of [
      ["es-ES", "Esta página no existe"],
      ["en-GB", "This page doesn't exist"],
    ] as const) {
      const context = await browser.newContext({ locale });
      const visitor = await context.newPage();
      await visitor.goto(siteOf(nido, name));
      await expect(visitor.getByRole("heading")).toHaveText("Hola");
      expect((await visitor.goto(`${siteOf(nido, name)}/nothing`))?.status()).toBe(404);
      await expect(visitor.getByRole("heading")).toHaveText(text);
      await context.close();
    }
  });

  test("a ZIP is published, without what a working folder has besides; secrets and an empty folder are refused", async ({
    page,
    customer,
  }) => {
    const id = await customer.addProject(newName(), { recipe: "static_starter" });
    await page.goto(`/projects/${id}`);
    const choose = async (files: Record<string, string>) => {
      const entries = Object.entries(files).map(([path, text]) => [`site/${path}`, Buffer.from(text)]);
      const buffer = Buffer.from(zipSync(Object.fromEntries(entries)));
      await page
        .locator("input[accept='.zip']")
        .setInputFiles({ name: "site.zip", mimeType: "application/zip", buffer });
    };
    await choose({ ".git/config": "x" });
    await expect(page.getByRole("alert")).toContainText("vacía");
    await choose({ "index.html": "x", ".env": "KEY=1" });
    await expect(page.getByRole("alert")).toContainText(".env");
    await choose({ "home.html": "x" });
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("No hay index.html");
    await page.getByRole("dialog").getByText("Nuevos: 1").click();
    await expect(page.getByRole("dialog")).toContainText("home.html");
    await page.keyboard.press("Escape");
    const site = { "index.html": "<h1>Hola</h1>", "app.js": "let x = 1;\n".repeat(100_000) };
    await choose({ ...site, ".gitignore": "x", "node_modules/a/index.js": "x", "nido.json": "{}" });
    await expect(page.getByRole("dialog")).toContainText("2 archivos");
    await page.getByRole("dialog").getByRole("button", { name: "Publicar" }).click();
    await expect(page.getByText("Publicado", { exact: true })).toBeVisible();
  });
});

function siteOf({ origin }: Nido, name: string): string {
  return origin.replace("localhost", `${name}.localhost`);
}

/** Drops a folder of files onto the project's page, and confirms. */
async function publishFolder(page: Page, projectId: string, files: Record<string, string>) {
  await page.goto(`/projects/${projectId}`);
  await expect(page.getByRole("region", { name: "Publicar" })).toBeVisible();
  await page.evaluate((contents) => {
    const entry = (name: string, content: string) => ({
      name,
      isFile: true,
      file: (done: (file: File) => void) => done(new File([content], name)),
    });
    const folder = (name: string, children: unknown[]) => ({
      name,
      isFile: false,
      createReader: () => {
        const parts = [children, []];
        return { readEntries: (done: (part: unknown) => void) => done(parts.shift()) };
      },
    });
    const tops = Object.entries(contents).map(([path, content]) => {
      const [first = "", second] = path.split("/");
      return second ? folder(first, [entry(second, content)]) : entry(first, content);
    });
    const event = new Event("drop", { bubbles: true, cancelable: true });
    const items = [{ webkitGetAsEntry: () => folder("dist", tops) }];
    Object.defineProperty(event, "dataTransfer", { value: { items } });
    document.querySelector("section[aria-label='Publicar'] > div")?.dispatchEvent(event);
  }, files);
  await page.getByLabel("Nota (opcional)").fill("Primera versión");
  await page.getByRole("dialog").getByRole("button", { name: "Publicar" }).click();
  await expect(page.getByText("Publicado", { exact: true })).toBeVisible();
}
