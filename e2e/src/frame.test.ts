import { expect, field, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

test.describe("signed out", () => {
  for (const [path, heading] of [
    ["/", "Inicia sesión"],
    ["/projects", "Inicia sesión"],
    ["/projects/abc", "Inicia sesión"],
    ["/settings/referrals", "Inicia sesión"],
    ["/newproject", "Elige tu plan WordPress"],
    ["/newdomain", "Inicia sesión"],
    ["/selectcategory", "¿Qué quieres crear?"],
    ["/purchase", "Inicia sesión"],
    ["/nothing/here", "Inicia sesión"],
    ["/login", "Inicia sesión"],
    ["/clilogin", "Inicia sesión en la línea de comandos"],
    ["/newproject/purchase?plan=p&domain=d", "Inicia sesión para comprar"],
    ["/newproject/wp/success", "Inicia sesión para comprar"],
    ["/newproject/error", "Inicia sesión para comprar"],
    ["/newproject/wp/1", "¿Cómo se llamará tu sitio?"],
    ["/newproject/static/1", "¿Cómo se llamará tu sitio?"],
    ["/newproject/wp/2", "Elige tu usuario"],
  ] as const) {
    test(`${path} shows «${heading}»`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    });
  }

  test("a visitor names a site, is asked to sign in for the purchase, and everything is remembered", async ({
    page,
  }) => {
    await page.goto("/newproject/wp/1?plan=price_1&lang=es");
    const next = page.getByRole("button", { name: "Continuar" });
    await expect(next).toBeDisabled();
    await page.getByLabel("Nombre del sitio").fill("Mi Tienda");
    await expect(page.getByLabel("Nombre del sitio")).toHaveValue("mitienda");
    await next.click();
    await page.getByLabel("Usuario de WordPress").fill("miadmin");
    await expect(next).toBeDisabled();
    await page.getByLabel("Usuario de WordPress").fill("lucia m");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Inicia sesión para comprar" })).toBeVisible();
    await page.getByRole("link", { name: "Continuar con Google" }).click();
    const checkout = page.waitForRequest("/billing/session/price_1");
    await page.getByRole("button", { name: "Tom Rivers" }).click();
    expect((await checkout).postDataJSON()).toMatchObject({
      project_name: "mitienda",
      username: "luciam",
      locale: "es",
    });
  });

  test("a failed state load renders the signed-out routes, and recovers by itself", async ({ page, context, nido }) => {
    await signInWithGoogle(page, uniqueEmail());
    await page.route("/redux", (route) => route.fulfill({ status: 500, json: { error: "error_unknown" } }));
    await page.goto(`${nido.origin}/settings`);
    await expect(page.getByRole("heading", { name: "Inicia sesión" })).toBeVisible();
    await context.unroute("/redux");
    await page.unroute("/redux");
    await expect(page.getByRole("heading", { name: "Ajustes" })).toBeVisible();
  });
});

test.describe("signed in", () => {
  test("every route has its screen", async ({ page, consoleErrors }) => {
    await signInWithGoogle(page, uniqueEmail());
    for (const [path, heading] of [
      ["/", "Proyectos"],
      ["/projects", "Proyectos"],
      ["/projects/unknown", "Este proyecto no existe"],
      ["/settings", "Ajustes"],
      ["/settings?tab=products", "Ajustes"],
      ["/settings/referrals", "Ajustes"],
      ["/newdomain", "Añadir dominio"],
      ["/deletedomain", "Eliminar dominio"],
      ["/deleteproject", "Eliminar proyecto"],
      ["/selectcategory", "¿Qué quieres crear?"],
      ["/newproject", "Elige tu plan WordPress"],
      ["/newproject/wp/1", "¿Cómo se llamará tu sitio?"],
      ["/newproject/wp/2", "Elige tu usuario"],
      ["/newproject/static/1", "¿Cómo se llamará tu sitio?"],
      ["/newproject/purchase", "Elige tu plan WordPress"],
      ["/newproject/wp/success", "No encontramos esta compra"],
      ["/newproject/static/success", "No encontramos esta compra"],
      ["/newproject/error", "Error al crear el proyecto"],
      ["/purchase", "Compras"],
      ["/clilogin", "Conecta la línea de comandos"],
      ["/clisuccess", "Todo listo"],
      ["/nothing/here", "Esta página no existe"],
      ["/login", "Proyectos"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    }
    await page.goto("/settings/referrals");
    await expect(page.getByRole("link", { name: "Referidos" })).toHaveAttribute("aria-current", "page");
    expect(consoleErrors).toEqual(["Invalid input"]); // logged by the purchase page without a plan
  });

  test("choosing a category keeps the other query parameters", async ({ page }) => {
    await signInWithGoogle(page, uniqueEmail(), "/selectcategory?promo=abc&lang=es");
    await page.getByRole("link", { name: /Estático/ }).click();
    await expect(page).toHaveURL("/newproject?promo=abc&lang=es&category=static");
  });

  test("the menu folds away on a phone, opens, and closes by Escape or by going somewhere", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/");
    await page.getByLabel("Correo").fill("demo@nido.example");
    await page.getByLabel("Contraseña").fill("Demo1234");
    await page.keyboard.press("Enter");
    const menu = page.getByRole("button", { name: "Menú" });
    const navigation = page.getByRole("navigation", { name: "Principal" });
    await expect(menu).toHaveAttribute("aria-expanded", "false");
    await expect(navigation).toBeHidden();
    await menu.click();
    await expect(navigation).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(navigation).toBeHidden();
    await menu.click();
    await navigation.getByRole("link", { name: "Ajustes" }).click();
    await expect(page.getByRole("heading", { name: "Ajustes" })).toBeVisible();
    await expect(navigation).toBeHidden();
  });
});

test.describe("languages", () => {
  test("Spanish by default; the query overrides and is stored under lang", async ({ page }) => {
    await page.goto("/login");
    await expect(page.locator("html")).toHaveAttribute("lang", "es");
    await page.goto("/login?lang=fr");
    await expect(page.getByRole("heading", { name: "Inicia sesión" })).toBeVisible();
    await page.goto("/login?lang=en");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    expect(await page.evaluate(() => localStorage.getItem("lang"))).toBe("en");
    await page.goto("/login");
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  });

  test("a browser without a choice follows the account", async ({ page, browser, nido }) => {
    const email = uniqueEmail();
    await signInWithGoogle(page, email, "/settings");
    await page.getByRole("button", { name: "Cambiar Idioma" }).click();
    await field(page, "Idioma").selectOption("en");
    await page.getByRole("button", { name: "Guardar" }).click();
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
    const context = await browser.newContext({
      baseURL: nido.origin,
      storageState: { cookies: await page.context().cookies(), origins: [] },
    });
    const other = await context.newPage();
    await other.goto("/settings");
    await expect(other.getByRole("heading", { name: "Settings" })).toBeVisible();
    await context.close();
  });
});

test.describe("themes", () => {
  test("the system's, until one is stored; the logo changes with it", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.goto("/login");
    const html = page.locator("html");
    await expect(html).toHaveAttribute("data-theme", "dark");
    await expect(page.locator("header svg.only-dark")).toBeVisible();
    await expect(page.locator("header svg.only-light")).toBeHidden();
    await page.emulateMedia({ colorScheme: "light" });
    await expect(html).toHaveAttribute("data-theme", "light");
    await expect(page.locator("header svg.only-light")).toBeVisible();
    await page.getByRole("button", { name: "Tema: Oscuro" }).click();
    await expect(html).toHaveAttribute("data-theme", "dark");
    await page.reload();
    await expect(html).toHaveAttribute("data-theme", "dark");
    expect(await page.evaluate(() => localStorage.getItem("theme"))).toBe("dark");
  });
});

test("screens fade in 300 ms, and not at all where motion is unwelcome", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const fade = () => page.locator("main").evaluate((main) => getComputedStyle(main).animation);
  await page.goto("/login");
  await expect(page.getByRole("heading", { name: "Inicia sesión" })).toBeVisible();
  expect(await fade()).toContain("0.3s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await fade()).not.toContain("0.3s");
});

test("a server that cannot be reached is said in words, and the page recovers by itself", async ({ page }) => {
  await page.route("/api/settings", (route) => route.abort());
  await page.goto("/login");
  await expect(page.getByRole("status")).toHaveText("No podemos conectar con el servidor. Lo seguimos intentando…");
  await page.unroute("/api/settings");
  await expect(page.getByRole("heading", { name: "Inicia sesión" })).toBeVisible();
});
