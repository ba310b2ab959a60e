import type { PlanOffer, PlanOffers, Referral } from "@nido/contract";
import type { Page } from "@playwright/test";
import { expect, test } from "./nido.ts";

const features = ["15 GB SSD", "SSL certificate", "Something new"].map((name) => ({ name }));

function offer(
  recipe: PlanOffer["product"]["metadata"]["recipe"],
  interval: "month" | "year",
  amount: number,
): PlanOffer {
  const name = recipe.replace("_", " ");
  const recipe_category = recipe === "static_starter" ? "static" : "wordpress";
  return {
    plan: { id: `price_${recipe}_${interval}`, amount, currency: "eur", interval },
    product: { id: `prod_${recipe}`, name, features, metadata: { recipe, recipe_category } },
  };
}

const offers: PlanOffers = {
  month: [offer("wordpress_business", "month", 2400), offer("wordpress_starter", "month", 600)],
  year: [
    offer("wordpress_business", "year", 23900),
    offer("wordpress_starter", "year", 5900),
    offer("wordpress_pro", "year", 11900),
  ],
};

async function servePlans(page: Page) {
  await page.route("/billing/products?recipe_category=wordpress", (route) => route.fulfill({ json: offers }));
}

test("plans: yearly first, per month, sorted, translated where known; choosing goes on to the name", async ({
  page,
  customer: _signedIn,
}) => {
  await servePlans(page);
  await page.goto("/selectcategory?promo=abc");
  await page.getByRole("link", { name: /WordPress/ }).click();
  const plans = page.getByRole("article");
  await expect(plans).toHaveCount(3);
  expect(await plans.evaluateAll((cards) => cards.map((card) => card.getAttribute("aria-label")))).toEqual([
    "wordpress starter",
    "wordpress pro",
    "wordpress business",
  ]);
  await expect(plans.first()).toContainText("4,92 €");
  await expect(plans.first()).toContainText("/ mes · sin IVA");
  await expect(plans.first()).toContainText("Certificado SSL");
  await expect(plans.first()).toContainText("Something new");
  await page.getByText("Mensual", { exact: true }).click();
  await expect(plans).toHaveCount(2);
  await expect(plans.first()).toContainText("6,00 €");
  await page.getByRole("button", { name: "Elegir wordpress starter" }).click();
  await expect(page).toHaveURL("/newproject/wp/1?promo=abc&category=wordpress&plan=price_wordpress_starter_month");
});

test("plans that do not come are said, and come with one click", async ({ page, customer: _signedIn }) => {
  await page.route("/billing/products*", (route) => route.fulfill({ status: 500, json: { error: "error_unknown" } }));
  await page.goto("/newproject");
  await expect(page.getByRole("alert")).toHaveText("No hemos podido cargar los planes.");
  await page.unroute("/billing/products*");
  await servePlans(page);
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
  await expect(page.getByText("Comprobando si está libre…")).toBeVisible();
  await expect(page.getByText("Ya está ocupado")).toBeVisible();
  await expect(goOn).toBeDisabled();

  // The slow answer for one name must not be taken for the next one's.
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
  await expect(page.getByText("Está libre", { exact: true })).toBeVisible();
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
  await expect(page.getByText("Está libre", { exact: true })).toBeVisible();
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
  await expect(page.getByText("Está libre", { exact: true })).toBeVisible();
});

test.describe("the purchase", () => {
  const path = "/newproject/purchase?plan=price_1&domain=mitienda&username=lucia&promo=abc&lang=es&category=wordpress";

  test("sends what was chosen once, and leaves for the provider's page", async ({
    page,
    customer: _signedIn,
    nido,
  }) => {
    const sent: unknown[] = [];
    await page.route("/billing/session/price_1", async (route) => {
      sent.push(route.request().postDataJSON());
      await route.fulfill({ json: { id: "cs_1", url: `${nido.origin}/healthz` } });
    });
    await page.goto(path);
    await page.waitForURL("/healthz");
    expect(sent).toEqual([
      { username: "lucia", project_name: "mitienda", promo: "abc", locale: "es", category: "wordpress" },
    ]);
  });

  for (const [status, url, title, text] of [
    [
      406,
      /reason=error_promotion_already_used/,
      "Error con el código promocional",
      "Ya has usado un código promocional con esta cuenta",
    ],
    [
      500,
      /reason=error_unknown/,
      "Error al crear el proyecto",
      "Error desconocido. Contacta con el servicio de atención al cliente",
    ],
    [
      409,
      /\/newproject\/wp\/1\?.*domain=mitienda/,
      "¿Cómo se llamará tu sitio?",
      "Alguien se ha quedado con ese nombre mientras comprabas.",
    ],
  ] as const) {
    test(`answered ${status} ends at «${title}»`, async ({ page, customer: _signedIn }) => {
      await page.route("/billing/session/price_1", (route) =>
        route.fulfill({ status, json: { error: "error_unknown" } }),
      );
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
      await expect(page.getByText(text)).toBeVisible();
      await expect(page).toHaveURL(url);
    });
  }

  test("with something missing sends nothing, logs it and says so", async ({
    page,
    customer: _signedIn,
    consoleErrors,
  }) => {
    for (const query of ["", "?plan=p", "?plan=p&domain=d", "?category=static&plan=p", "?category=static&domain=d"]) {
      await page.goto(`/newproject/purchase${query}`);
      await expect(page.getByText("Faltan datos para comprar.")).toBeVisible();
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

  test("that fails, or cannot be asked for, ends with a way to write to us", async ({ page, customer }) => {
    const id = await customer.addTask({ state: "failed", progress: [] });
    for (const [taskId, retries] of [
      [id, 0],
      ["unknown", 1],
    ] as const) {
      await page.goto(`/newproject/wp/success?taskId=${taskId}&lang=en`);
      await expect(page.getByRole("heading", { name: "Error creating Wordpress" })).toBeVisible();
      await expect(page.getByRole("link", { name: "Contact support" })).toHaveAttribute(
        "href",
        "mailto:support@nido.example",
      );
      await expect(page.getByRole("button", { name: "Go to projects" })).toBeEnabled();
      await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(retries);
    }
  });
});

test("a visitor who begins at the static naming step buys a static site", async ({ page, customer: _signedIn }) => {
  await page.goto("/newproject/static/1?plan=price_1");
  await page.getByLabel("Nombre del sitio").fill(`st${Math.random().toString(36).slice(2, 8)}`);
  const checkout = page.waitForRequest("/billing/session/price_1");
  await page.getByRole("button", { name: "Continuar" }).click();
  expect((await checkout).postDataJSON()).toMatchObject({ category: "static", username: "" });
});

test("a static purchase ends with the guide and a way back", async ({ page, customer: _signedIn }) => {
  await page.goto("/newproject/static/success?domain=portfolio24");
  await expect(page.getByText('"project": "portfolio24"')).toBeVisible();
  await page.getByRole("link", { name: "Volver a proyectos" }).click();
  await expect(page).toHaveURL("/projects");
});

test.describe("referrals", () => {
  const referral: Referral = {
    info: { percent_off: 20, duration: "once" },
    pending: [
      { sum: 1234, currency: "eur" },
      { sum: 500, currency: "usd" },
    ],
  };

  test("the link in the customer's language, the terms in words, the sums, and the request", async ({
    page,
    customer: _signedIn,
    nido,
  }) => {
    await page.route("/api/referral", (route) => route.fulfill({ json: referral }));
    let requests = 0;
    await page.route("/api/referral/payout", (route) => {
      requests++;
      return route.fulfill({ status: 202, json: { ok: true } });
    });
    await page.goto("/settings/referrals");
    await expect(page.getByText("20 % de descuento en su primera compra")).toBeVisible();
    await expect(
      page.getByText(new RegExp(`^${nido.origin}/selectcategory\\?lang=es&promo=[a-z0-9]{8}$`)),
    ).toBeVisible();
    await expect(page.getByText("12,34 €")).toBeVisible();
    await expect(page.getByText("5,00 USD")).toBeVisible();
    await page.getByRole("button", { name: "Solicitar el pago" }).dblclick();
    await expect(page.getByText("Hemos recibido tu solicitud.")).toBeVisible();
    expect(requests).toBe(1);
    await page.goto("/settings/referrals?lang=en");
    await expect(page.getByText(/lang=en&promo=/)).toBeVisible();
  });

  test("a failure is a red box with a way to write to us, and one click tries again", async ({
    page,
    customer: _signedIn,
  }) => {
    await page.route("/api/referral", (route) => route.fulfill({ status: 500, json: { error: "error_unknown" } }));
    await page.goto("/settings/referrals?lang=en");
    await expect(page.getByRole("alert")).toContainText("Something failed");
    await expect(page.getByRole("link", { name: "Contact customer service" })).toBeVisible();
    await page.unroute("/api/referral");
    await page.route("/api/referral", (route) => route.fulfill({ json: { ...referral, pending: [] } }));
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByText("You have no pending earnings yet.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Request payment" })).toBeDisabled();
  });
});
