import type { PlanOffers } from "@nido/contract";
import { expect, test } from "./nido.ts";

test("plans: yearly first, per month, sorted, translated where known; choosing goes on to the name", async ({
  page,
  customer: _signedIn,
}) => {
  await page.route("/billing/products*", async (route) => {
    const response = await route.fetch();
    const plans: PlanOffers = await response.json();
    plans.year[0]?.product.features.push({ name: "Something new" });
    await route.fulfill({ response, json: plans });
  });
  await page.goto("/selectcategory?promo=abc");
  await page.getByRole("link", { name: /WordPress/ }).click();
  const plans = page.getByRole("article");
  await expect(plans).toHaveCount(3);
  expect(await plans.evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label")))).toEqual([
    "WordPress starter",
    "WordPress pro",
    "WordPress business",
  ]);
  await expect(plans.first()).toContainText("4,92 €");
  await expect(plans.first()).toContainText("/ mes · sin IVA");
  await expect(plans.first()).toContainText("Certificado SSL");
  await expect(plans.first()).toContainText("Something new");
  await expect(plans.last()).toContainText("Soporte prioritario");
  await page.getByText("Mensual", { exact: true }).click();
  await expect(plans.first()).toContainText("6,00 €");
  await page.getByRole("button", { name: "Elegir WordPress starter" }).click();
  await expect(page).toHaveURL(/\/newproject\/wp\/1\?promo=abc&category=wordpress&plan=price_\w+$/);
});

test("plans that do not come are said, and come with one click", async ({ page, customer: _signedIn }) => {
  await page.route("/billing/products*", (route) => route.fulfill({ status: 500, json: { error: "error_unknown" } }));
  await page.goto("/newproject");
  await expect(page.getByRole("alert")).toHaveText("No hemos podido cargar los planes.");
  await page.unroute("/billing/products*");
  await page.getByRole("button", { name: "Reintentar" }).click();
  await expect(page.getByRole("article")).toHaveCount(3);
});

test("a name is checked a second after the last key; older answers are ignored", async ({ page, customer }) => {
  const taken = `taken${Math.random().toString(36).slice(2, 8)}`;
  await customer.addProject(taken);
  const asked: string[] = [];
  page.on(
    "request",
    (request) => request.url().includes("/api/domain/") && asked.push(request.url().split("/").at(-1) ?? ""),
  );
  await page.goto("/newproject/wp/1");
  const input = page.getByLabel("Nombre del sitio");
  const goOn = page.getByRole("button", { name: "Continuar" });

  await input.fill(taken);
  await expect(page.getByText("Comprobando si está disponible…")).toBeVisible();
  await expect(page.getByText("Ya está ocupado")).toBeVisible();
  await expect(goOn).toBeDisabled();

  // A late response about one name must not be shown for the next name.
  await page.route(`/api/domain/slow${taken}`.slice(0, 32), async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2500));
    await route.fulfill({ status: 202, json: { ok: true } }).catch(() => undefined);
  });
  await input.fill(`slow${taken}`.slice(0, 20));
  await page.waitForRequest(/\/api\/domain\/slow/);
  await input.fill(taken);
  await expect(page.getByText("Ya está ocupado")).toBeVisible();
  await page.waitForTimeout(2000);
  await expect(page.getByText("Ya está ocupado")).toBeVisible();
  await expect(goOn).toBeDisabled();

  await input.pressSequentially("x", { delay: 10 });
  await expect(page.getByText("Está disponible", { exact: true })).toBeVisible();
  await goOn.click();
  await expect(page).toHaveURL(`/newproject/wp/2?category=wordpress&domain=${taken}x`);
  await page.getByRole("link", { name: "Atrás" }).click();
  await expect(input).toHaveValue(`${taken}x`);
  expect(asked.filter((name) => name.length < 5)).toEqual([]);
});

test("a site is named by keyboard alone", async ({ page }) => {
  await page.goto("/newproject/wp/1?plan=price_1");
  await page.getByLabel("Nombre del sitio").focus();
  await page.keyboard.type(`Key ${Math.random().toString(36).slice(2, 8)}`);
  await expect(page.getByText("Está disponible", { exact: true })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Atrás" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Continuar" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.getByLabel("Usuario de WordPress").focus();
  await page.keyboard.type("lucia");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Inicia sesión para comprar" })).toBeVisible();
});

test("a check that fails is said, and tried again by itself", async ({ page }) => {
  await page.route("/api/domain/*", (route) => route.fulfill({ status: 500, json: { error: "error_unknown" } }));
  await page.goto("/newproject/static/1");
  await page.getByLabel("Nombre del sitio").fill("portfolio24");
  await expect(page.getByText("No hemos podido comprobarlo. Lo intentamos de nuevo…")).toBeVisible();
  await page.unroute("/api/domain/*");
  await expect(page.getByText("Está disponible", { exact: true })).toBeVisible();
});

test.describe("the purchase", () => {
  const path = "/newproject/purchase?plan=price_1&domain=mitienda&username=lucia&promo=abc&lang=es&category=wordpress";

  for (const [status, error, title, text, way] of [
    [500, "error_unknown", "Error al crear el proyecto", "Error desconocido. Contacta con el servicio", null],
    [
      502,
      "error_payment_unavailable",
      "Error al crear el proyecto",
      "El servicio de pagos no está disponible ahora mismo.",
      "Reintentar",
    ],
    [404, "error_plan_not_found", "Error al crear el proyecto", "Ese plan ya no está a la venta.", "Elegir otro plan"],
    [429, "error_checkout_limit", "Error al crear el proyecto", "Tienes cinco compras a medias.", "Reintentar"],
    [
      404,
      "error_promotion_unknown",
      "Error con el código promocional",
      "Ese código promocional no existe.",
      "Comprar sin el código",
    ],
  ] as const) {
    test(`answered ${error} says why, and how to go on`, async ({ page, customer: _signedIn }) => {
      await page.route("/billing/session/price_1", (route) => route.fulfill({ status, json: { error } }));
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
      await expect(page.getByText(text)).toBeVisible();
      await expect(page.getByRole("link", { name: "Contactar con soporte" })).toBeVisible();
      if (way)
        await expect(page.getByRole("link", { name: way })).toHaveAttribute("href", /domain=mitienda&username=lucia/);
    });
  }

  test("with something missing sends nothing, logs it and leads to the step that asks for it", async ({
    page,
    customer: _signedIn,
    consoleErrors,
  }) => {
    for (const [query, heading] of [
      ["", "Elige tu plan WordPress"],
      ["?plan=p", "¿Cómo se llamará tu sitio?"],
      ["?plan=p&domain=d", "Elige tu usuario"],
      ["?category=static&plan=p", "¿Cómo se llamará tu sitio?"],
      ["?category=static&domain=d", "Elige tu plan estático"],
    ] as const) {
      await page.goto(`/newproject/purchase${query}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    }
    expect(consoleErrors).toEqual(Array(5).fill("Invalid input"));
  });
});

test.describe("the creation of a WordPress", () => {
  test("is followed through its stages to the end", async ({ page, customer }) => {
    const id = await customer.addTask({ state: "pending", progress: [] });
    await page.goto(`/newproject/wp/success?taskId=${id}`);
    await expect(page.getByText("En cola…")).toBeVisible();
    const close = page.getByRole("button", { name: "Ir a proyectos" });
    await expect(close).toBeDisabled();
    await customer.setTask(id, {
      state: "running",
      progress: [
        { progress: 0.2, message: "initializing_database" },
        { progress: 0.55, message: "installing_wordpress" },
      ],
    });
    await expect(page.getByRole("status").filter({ hasText: "Instalando WordPress" })).toBeVisible();
    await expect(page.getByText("55 %")).toBeVisible();
    await expect(close).toBeDisabled();
    await customer.setTask(id, { state: "completed", progress: [{ progress: 1, message: "done" }] });
    await expect(page.getByRole("heading", { name: "Tu WordPress está listo" })).toBeVisible();
    await expect(page.getByText("100 %")).toBeVisible();
    await close.click();
    await expect(page).toHaveURL("/projects");
  });

  test("that fails ends with a way to write to us", async ({ page, customer }) => {
    const id = await customer.addTask({ state: "failed", progress: [] });
    await page.goto(`/newproject/wp/success?taskId=${id}&lang=en`);
    await expect(page.getByRole("heading", { name: "Error creating Wordpress" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Contact support" })).toHaveAttribute(
      "href",
      "mailto:support@nido.example",
    );
    await expect(page.getByRole("button", { name: "Go to projects" })).toBeEnabled();
  });
});

test("who begins at the static naming step buys a static site", async ({ page, customer: _signedIn }) => {
  await page.goto("/newproject/static/1?plan=price_1");
  await page.getByLabel("Nombre del sitio").fill(`st${Math.random().toString(36).slice(2, 8)}`);
  const checkout = page.waitForRequest("/billing/session/price_1");
  await page.getByRole("button", { name: "Continuar" }).click();
  expect((await checkout).postDataJSON()).toMatchObject({ category: "static", username: "" });
  await expect(page.getByText("Ese plan ya no está a la venta.")).toBeVisible();
});

test("a static purchase whose payment is not confirmed yet waits for it, and ends with the guide and a way back", async ({
  page,
  customer,
}) => {
  const name = `st${Math.random().toString(36).slice(2, 8)}`;
  const plans = await page.request.get("/billing/products?recipe_category=static");
  const order = { project_name: name, username: "", promo: "", locale: "es", category: "static" };
  await page.request.post(`/billing/session/${((await plans.json()) as PlanOffers).year[0]?.plan.id}`, { data: order });
  await page.goto(`/newproject/static/success?domain=${name}`);
  await expect(page.getByRole("heading", { name: "Estamos confirmando tu pago" })).toBeVisible();
  await customer.addProject(name, { recipe: "static_starter" });
  await expect(page.getByText(`"project": "${name}"`)).toBeVisible();
  await page.getByRole("link", { name: "Volver a proyectos" }).click();
  await expect(page).toHaveURL("/projects");
});

test("referrals that do not come are a red box with a way to write to us, and one click tries again", async ({
  page,
  customer: _signedIn,
  nido,
}) => {
  await page.route("/api/referral", (route) => route.fulfill({ status: 500, json: { error: "error_unknown" } }));
  await page.goto("/settings/referrals?lang=en");
  await expect(page.getByRole("alert")).toContainText("Something failed");
  await expect(page.getByRole("link", { name: "Contact customer service" })).toBeVisible();
  await page.unroute("/api/referral");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("You have no pending earnings yet.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Request payout" })).toBeDisabled();
  await expect(page.getByText(new RegExp(`^${nido.origin}/selectcategory\\?lang=en&promo=[a-z0-9]{8}$`))).toBeVisible();
  await page.goto("/settings/referrals?lang=es");
  await expect(page.getByText(/lang=es&promo=/)).toBeVisible();
});
