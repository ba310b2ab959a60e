import { expect, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

test.describe("with e-mail and password", () => {
  test("the demo customer comes in and is back at the path and query they came from", async ({
    page,
    consoleErrors,
  }) => {
    await page.goto("/settings?tab=support");
    await expect(page.getByRole("heading", { name: "Inicia sesión" })).toBeVisible();
    await page.getByLabel("Correo").fill("demo@nido.example");
    await page.getByLabel("Contraseña").fill("Demo1234");
    await page.getByRole("button", { name: "Entrar", exact: true }).click();
    await expect(page.getByRole("heading", { name: "¿Necesitas ayuda?" })).toBeVisible();
    await expect(page).toHaveURL("/settings?tab=support");
    expect(consoleErrors).toEqual([]);
  });

  test("what is missing is said under its field, and nothing is sent", async ({ page }) => {
    const calls: string[] = [];
    page.on("request", (request) => request.method() === "POST" && calls.push(request.url()));
    await page.goto("/login");
    await page.getByRole("button", { name: "Entrar", exact: true }).click();
    await expect(page.getByText("Escribe tu correo")).toBeVisible();
    await expect(page.getByText("Escribe tu contraseña")).toBeVisible();
    await expect(page.getByLabel("Correo")).toHaveAccessibleDescription("Escribe tu correo");
    expect(calls).toEqual([]);
  });

  test("wrong credentials, too many of them, and a broken server each have their words", async ({ page }) => {
    await page.goto("/login");
    const fill = async () => {
      await page.getByLabel("Correo").fill(uniqueEmail());
      await page.getByLabel("Contraseña").fill("Wrong1234");
      await page.getByRole("button", { name: "Entrar", exact: true }).click();
    };
    await fill();
    await expect(page.getByRole("alert")).toHaveText("Credenciales no válidas");
    await page.route("/auth/simple", (route) =>
      route.fulfill({ status: 429, json: { error: "error_too_many_requests" } }),
    );
    await fill();
    await expect(page.getByRole("alert")).toHaveText("Demasiados intentos. Espera unos minutos y vuelve a intentarlo.");
    await page.route("/auth/simple", (route) => route.fulfill({ status: 500, json: { error: "error_unknown" } }));
    await fill();
    await expect(page.getByRole("alert")).toHaveText("Error desconocido");
    await page.route("/auth/simple", (route) => route.abort());
    await fill();
    await expect(page.getByRole("alert")).toHaveText("Error desconocido");
  });

  test("in English too", async ({ page }) => {
    await page.goto("/login?lang=en");
    await page.getByLabel("E-mail").fill(uniqueEmail());
    await page.getByLabel("Password").fill("Wrong1234");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("alert")).toHaveText("Invalid credentials");
    const terms = page.getByRole("link", { name: "terms" });
    await expect(terms).toHaveAttribute("href", "https://nido.example/terms");
    await expect(page.getByRole("link", { name: "privacy policy" })).toBeVisible();
  });

  test("by keyboard alone", async ({ page }) => {
    await page.goto("/login");
    await page.getByRole("button", { name: "Entrar con una llave de acceso" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.type("demo@nido.example");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Demo1234");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("navigation", { name: "Principal" })).toBeVisible();
  });
});

test.describe("with Google", () => {
  test("a new customer comes in, back at the path and query they came from", async ({ page, consoleErrors }) => {
    const email = uniqueEmail();
    await page.goto("/settings?tab=general&from=a%20mail");
    await page.getByRole("link", { name: "Continuar con Google" }).click();
    await page.getByLabel("Correo", { exact: true }).fill(email);
    await page.getByRole("button", { name: "Continuar" }).click();
    await expect(page).toHaveURL("/settings?tab=general&from=a%20mail");
    await expect(page.getByRole("main").getByText(email)).toBeVisible();
    expect(consoleErrors).toEqual([]);
  });

  test("an e-mail that Google has not verified is turned away with the reason", async ({ page }) => {
    await page.goto("/projects");
    await page.getByRole("link", { name: "Continuar con Google" }).click();
    await page.getByLabel("Correo", { exact: true }).fill(uniqueEmail());
    await page.getByLabel("Google ha verificado este correo").uncheck();
    await page.getByRole("button", { name: "Continuar" }).click();
    await expect(page.getByRole("alert")).toContainText("Google no ha verificado ese correo");
    await expect(page).toHaveURL(/\/projects\?signin_error=/);
  });

  test("one who says no may try again, and comes back without the error", async ({ page }) => {
    await page.goto("/settings");
    await page.getByRole("link", { name: "Continuar con Google" }).click();
    await page.getByRole("button", { name: "Cancelar" }).click();
    await expect(page.getByRole("alert")).toContainText("No se ha completado");
    await page.getByRole("link", { name: "Continuar con Google" }).click();
    await page.getByRole("button", { name: "Tom Rivers" }).click();
    await expect(page.getByRole("navigation", { name: "Principal" })).toBeVisible();
    await expect(page).toHaveURL("/settings");
  });
});

test.describe("for the command line", () => {
  test("comes back to its own page", async ({ page }) => {
    await page.goto("/clilogin?port=4000");
    await expect(page.getByRole("heading", { name: "Inicia sesión en la línea de comandos" })).toBeVisible();
    await page.getByRole("link", { name: "Continuar con Google" }).click();
    await page.getByRole("button", { name: "Tom Rivers" }).click();
    await expect(page.getByRole("heading", { name: "Conecta la línea de comandos" })).toBeVisible();
    await expect(page).toHaveURL("/clilogin?port=4000");
  });

  test("ends on a page that sends the customer back to the tool", async ({ page }) => {
    await page.goto("/clisuccess?lang=en");
    await expect(page.getByText("You can close this page and go back to your terminal.")).toBeVisible();
    await expect(page.getByRole("link", { name: "terms" })).toBeVisible();
  });
});

test("disconnecting signs this browser out", async ({ page }) => {
  await signInWithGoogle(page, uniqueEmail(), "/settings");
  await page.getByRole("button", { name: "Cerrar sesión" }).click();
  await expect(page.getByRole("heading", { name: "Inicia sesión" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { name: "Inicia sesión" })).toBeVisible();
});
