import { expect, test } from "./nido.ts";

test("a new customer: _signedIn is led to the first project, and reads what is new", async ({
  page,
  customer: _signedIn,
  nido,
}) => {
  await page.goto("/projects");
  await expect(page.getByRole("heading", { name: "Aún no tienes proyectos" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Nuevo proyecto" })).toHaveAttribute("href", "/selectcategory");
  for (const text of [
    "30 oct 2025",
    "Modo oscuro",
    "17 ene 2025",
    "Dominios del proyecto",
    "13 ene 2025",
    "Ajustes de usuario",
    "5 ene 2025",
    "Sitios WordPress",
  ]) {
    await expect(page.getByRole("main").getByText(text, { exact: true })).toBeVisible();
  }
  const announcement = page.getByRole("region", { name: "Anuncios recientes" });
  await expect(announcement.getByRole("link")).toHaveAttribute("href", "https://nido.example/blog/domains");
  await page.goto(`${nido.origin}/projects?lang=en`);
  // Once read, it is folded.
  await expect(page.getByText("30 Oct 2025")).toBeHidden();
  await page.getByText("What's new").click();
  await expect(page.getByText("30 Oct 2025")).toBeVisible();
  await expect(page.getByText("Dark mode", { exact: true })).toBeVisible();
});

test("a card a project, in its recipe's colour, and a search that filters as typed and stays in the address", async ({
  page,
  customer,
}) => {
  await page.goto("/projects");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const names = ["panaderialuz", "estudiomarin", "tiendadelrio", "portfolio24"].map((name) =>
    `${name}${unique()}`.slice(0, 20),
  );
  const recipes = ["wordpress_starter", "wordpress_pro", "wordpress_business", "static_starter"] as const;
  for (const [index, recipe] of recipes.entries()) await customer.addProject(names[index] ?? "", { recipe });

  // The server pushes the change to the open page.
  const cards = page
    .getByRole("list")
    .filter({ has: page.getByRole("link", { name: /^Gestionar/ }) })
    .getByRole("listitem");
  await expect(cards).toHaveCount(4);
  const looks = {
    wordpress_starter: { label: "WordPress Starter", colour: "green" },
    wordpress_pro: { label: "WordPress Pro", colour: "blue" },
    wordpress_business: { label: "WordPress Business", colour: "purple" },
    static_starter: { label: "Estático", colour: "green" },
  };
  for (const [index, recipe] of recipes.entries()) {
    const card = cards.filter({ hasText: names[index] ?? "" });
    await expect(card.getByText(looks[recipe].label, { exact: true })).toBeVisible();
    await expect(
      card
        .locator("span")
        .filter({ has: page.locator("svg") })
        .first(),
    ).toHaveClass(new RegExp(`text-${looks[recipe].colour}`));
  }

  await page.getByRole("searchbox", { name: "Buscar por nombre" }).pressSequentially("ESTUDIO");
  await expect(cards).toHaveCount(1);
  await expect(page).toHaveURL("/projects?q=ESTUDIO");
  await page.reload();
  await expect(cards).toHaveCount(1);
  await page.getByRole("searchbox").fill("nada así");
  await expect(page.getByText("Ningún proyecto ni dominio se llama «nada así»")).toBeVisible();
  await page.getByRole("button", { name: "Ver todos" }).click();
  await expect(cards).toHaveCount(4);
});

test("a WordPress project: its data, its address, and its admin by a form in a new tab", async ({
  page,
  context,
  customer,
  nido,
}) => {
  const name = `wp${unique()}`;
  const id = await customer.addProject(name, { recipe: "wordpress_business" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/projects");
  await page.getByRole("link", { name: `Gestionar ${name}` }).click();
  await expect(page).toHaveURL(`/projects/${id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  const site = nido.origin.replace("localhost", `${name}.localhost`);
  await expect(page.getByRole("link", { name: "Visitar" })).toHaveAttribute("href", site);
  await page.getByRole("button", { name: "Copiar: Identificador" }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);

  await page.route(`/api/vault/${id}/sso`, (route) => route.fulfill({ json: { token: "once-only" } }));
  for (const [button, body] of [
    ["Abrir el panel de WordPress", "token=once-only"],
    ["Añadir fotos", "token=once-only&media=1"],
  ] as const) {
    const arrival = context.waitForEvent("request", (request) => request.url() === `${site}/nido-sso`);
    await page.getByRole("button", { name: button }).click();
    const request = await arrival;
    expect([request.method(), request.postData()]).toEqual(["POST", body]);
  }
  await page.unroute(`/api/vault/${id}/sso`);
  await page.route(`/api/vault/${id}/sso`, (route) => route.fulfill({ status: 500, json: { error: "error_unknown" } }));
  await page.getByRole("button", { name: "Añadir fotos" }).click();
  await expect(page.getByText("No hemos podido abrir WordPress. Vuelve a intentarlo.")).toBeVisible();
});

test("a static project shows how to publish, each command with its copy button and a two-second word", async ({
  page,
  context,
  customer,
  nido,
}) => {
  const name = `st${unique()}`;
  const id = await customer.addProject(name, { recipe: "static_starter" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(`/projects/${id}`);
  const commands = [
    ["Instala la herramienta", `npm install -g ${nido.origin}/cli/nido.tgz`],
    ["Inicia sesión", "nido login"],
    [
      "Crea el archivo de configuración nido.json con el nombre del proyecto y la carpeta que publicas",
      `{\n  "project": "${name}",\n  "folder": "dist"\n}`,
    ],
    ["Publica", "nido publish"],
  ] as const;
  for (const [label, command] of commands) {
    await page.getByRole("button", { name: `Copiar: ${label}`, exact: true }).click();
    await expect(page.getByText("Copiado", { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(command);
    await expect(page.getByText("Copiado", { exact: true })).toBeHidden();
  }
});

test("copying that the browser refuses is said", async ({ page, customer }) => {
  const id = await customer.addProject(`st${unique()}`, { recipe: "static_starter" });
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } });
  });
  await page.goto(`/projects/${id}`);
  await page.getByRole("button", { name: "Copiar: Publica", exact: true }).click();
  await expect(page.getByText("No se ha podido copiar.")).toBeVisible();
});

test("an unknown project and another's are the same: not there", async ({ page, customer, browser, nido }) => {
  const id = await customer.addProject(`mine${unique()}`);
  const context = await browser.newContext({ baseURL: nido.origin, locale: "es-ES" });
  const other = await context.newPage();
  await other.goto("/");
  await other.getByLabel("Correo").fill("demo@nido.example");
  await other.getByLabel("Contraseña").fill("Demo1234");
  await other.keyboard.press("Enter");
  await expect(other.getByRole("navigation", { name: "Principal" })).toBeVisible();
  for (const [who, path] of [
    [page, "/projects/nothing"],
    [page, "/projects/constructor"],
    [other, `/projects/${id}`],
  ] as const) {
    await who.goto(path);
    await expect(who.getByRole("heading", { level: 1 })).toHaveText("Este proyecto no existe");
  }
  await context.close();
});

test("domains: added, refused, deleted; the included one cannot be touched", async ({ page, customer }) => {
  const name = `dom${unique()}`;
  const id = await customer.addProject(name);
  const host = `${unique()}.example.com`;
  await page.goto(`/projects/${id}?tab=configuration`);
  const main = page.getByRole("main");
  await expect(main.getByText(`${name}.localhost`)).toBeVisible();
  await expect(main.getByRole("link", { name: new RegExp(`Eliminar dominio ${name}`) })).toHaveCount(0);

  await page.getByRole("link", { name: "Añadir dominio" }).click();
  const add = page.getByRole("button", { name: "Añadir dominio" });
  await expect(add).toBeDisabled();
  await page.getByLabel("Dominio").fill("not a domain");
  await add.click();
  await expect(page.getByRole("alert")).toHaveText("Dominio no válido");
  await page.getByLabel("Dominio").fill(`https://${host}/path`);
  await add.click();
  await expect(page).toHaveURL(`/projects/${id}?tab=configuration`);
  await expect(main.getByText("Pendiente")).toBeVisible();

  await page.getByRole("link", { name: "Añadir dominio" }).click();
  await page.getByLabel("Dominio").fill(host.toUpperCase());
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toHaveText("Este dominio ya está asignado");
  await page.getByRole("link", { name: "Atrás" }).click();

  await page.getByRole("link", { name: `Eliminar dominio ${host}` }).click();
  await expect(page.getByText(`dejará de mostrar ${name}`)).toBeVisible();
  await page.getByRole("button", { name: "Eliminar dominio" }).click();
  await expect(page).toHaveURL(`/projects/${id}?tab=configuration`);
  await expect(main.getByText(host)).toBeHidden();
});

test("a project is deleted by keyboard, once its name is typed", async ({ page, customer }) => {
  const name = `veryverylong${unique()}`;
  const id = await customer.addProject(name);
  await page.goto(`/projects/${id}?tab=configuration`);
  await page.getByRole("link", { name: "Eliminar este proyecto" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("El periodo ya pagado no se devuelve.")).toBeVisible();
  await expect(page.getByText("La suscripción se cancela y no se volverá a cobrar.")).toBeVisible();
  const confirm = page.getByRole("button", { name: "Eliminar el proyecto" });
  await page.getByLabel(`Escribe ${name} para confirmar`).focus();
  await page.keyboard.type(name.slice(0, -1));
  await expect(confirm).toBeDisabled();
  await page.keyboard.type(name.slice(-1));
  await expect(confirm).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/projects");
  await expect(page.getByRole("heading", { name: "Aún no tienes proyectos" })).toBeVisible();
});

test("a deletion that the server refuses is said in a red box, and can be tried again", async ({
  page,
  customer,
  browser,
  nido,
}) => {
  const name = `gone${unique()}`;
  const id = await customer.addProject(name);
  await page.goto(`/projects/${id}?tab=configuration`);
  await page.getByRole("link", { name: "Eliminar este proyecto" }).click();
  const context = await browser.newContext({ baseURL: nido.origin, storageState: await page.context().storageState() });
  const other = await context.newPage();
  await other.goto(`/projects/${id}?tab=configuration`);
  await other.getByRole("link", { name: "Eliminar este proyecto" }).click();
  await other.getByLabel(`Escribe ${name} para confirmar`).fill(name);
  await other.getByRole("button", { name: "Eliminar el proyecto" }).click();
  await expect(other).toHaveURL("/projects");
  await page.getByLabel(`Escribe ${name} para confirmar`).fill(name);
  await page.getByRole("button", { name: "Eliminar el proyecto" }).click();
  await expect(page.getByRole("alert")).toContainText("Este proyecto no existe o ya no es tuyo.");
  await context.close();
});

test("many projects, long names and a long domain: nothing breaks out", async ({ page, customer }) => {
  const ids = [];
  for (let index = 0; index < 40; index++)
    ids.push(await customer.addProject(`w${index}${unique()}${"m".repeat(20)}`.slice(0, 20)));
  await page.goto("/projects");
  await expect(page.getByRole("link", { name: /^Gestionar/ })).toHaveCount(40);
  await page.goto(`/projects/${ids[0]}?tab=configuration`);
  await page.getByRole("link", { name: "Añadir dominio" }).click();
  const long = `${unique()}.${"a".repeat(50)}.${"b".repeat(60)}.com`.slice(0, 96);
  await page.getByLabel("Dominio").fill(`${long.replace(/\.?[a-z]$/, "x")}.com`);
  await page.getByRole("button", { name: "Añadir dominio" }).click();
  await expect(page.getByText("Pendiente")).toBeVisible();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/projects", `/projects/${ids[0]}?tab=configuration`]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow, `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

test("products: a block a subscription", async ({ page, customer }) => {
  const name = `prod${unique()}`;
  await customer.addProject(name, { recipe: "wordpress_pro", amount: 11900, interval: "year" });
  await customer.addProject(`usd${unique()}`, {
    recipe: "static_starter",
    amount: 300,
    currency: "usd",
    interval: "month",
  });
  await page.goto("/settings?tab=products&lang=en");
  const block = page.locator("section").filter({ has: page.getByRole("heading", { name }) });
  for (const text of ["WordPress Pro", "Lucía Marín", "€119.00 excl. VAT", "Yearly", "15 January 2027"]) {
    await expect(block.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(block.getByText("15 January 2026", { exact: true })).toHaveCount(2);
  await expect(page.getByText("USD 3.00 excl. VAT")).toBeVisible();
});

function unique(): string {
  return Math.random().toString(36).slice(2, 8).padEnd(6, "0");
}
