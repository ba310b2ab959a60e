import { expect, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

test("is read without scripts, with this installation's names, in the language of its address", async ({
  browser,
  nido,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: nido.origin });
  const page = await context.newPage();
  await page.goto("/docs/es");
  await expect(page).toHaveTitle("Primeros pasos · Nido");
  await expect(page.getByRole("main")).toContainText(`npm install -g ${nido.origin}/cli/nido.tgz`);
  await page.getByRole("link", { name: "Redirecciones y cabeceras" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Redirecciones y cabeceras");
  await expect(page.locator("html")).toHaveAttribute("lang", "es");
  await page.getByRole("link", { name: "English" }).click();
  await expect(page).toHaveURL("/docs/en/rules");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Redirects and headers");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await context.close();
});

test("nothing moves or flashes while the scripts take over", async ({ page }) => {
  await page.addInitScript(() => {
    const shown = new Set<string>();
    Object.assign(window, { shown });
    const look = () => {
      shown.add(document.querySelector("h1")?.textContent ?? "nothing");
      requestAnimationFrame(look);
    };
    addEventListener("DOMContentLoaded", look);
  });
  await page.goto("/docs/es/domains");
  await expect(page.getByRole("searchbox")).toBeVisible();
  expect(await page.evaluate(() => [...(window as unknown as { shown: Set<string> }).shown])).toEqual(["Dominios"]);
});

test("is searched by keyboard, without regard to accents, and leads to the section", async ({ page }) => {
  await page.goto("/docs");
  await expect(page).toHaveURL("/docs/es");
  await expect(page.getByRole("searchbox")).toBeVisible();
  await page.keyboard.press("/");
  await page.keyboard.type("contrasenas rama");
  const main = page.getByRole("main");
  await expect(main.getByRole("status")).toHaveText(/^\d+ resultados?$/);
  await page.screenshot({ path: "../test-results/screens/docs-search.jpg", type: "jpeg", quality: 70 });
  await main.getByRole("link", { name: "Ramas, versiones y contraseñas › Contraseñas" }).click();
  await expect(page).toHaveURL("/docs/es/previews#contrasenas");
  await expect(page.getByRole("heading", { name: "Contraseñas", exact: true })).toBeInViewport();
  await expect(page.getByRole("searchbox")).toHaveValue("");
  await page.getByRole("searchbox").fill("zzzz");
  await expect(main.getByRole("status")).toContainText("Nada coincide");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Ramas, versiones y contraseñas");
  await page.goto("/docs/es/nada");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Esta página no existe");
});

test("going back, a section that is open already, and an address with a fault", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.goto("/docs/es/publishing");
  const box = page.getByRole("searchbox");
  await expect(box).toBeVisible();
  await page.getByRole("navigation", { name: "En esta página" }).getByRole("link", { name: "Límites" }).click();
  const limits = page.getByRole("heading", { name: "Límites" });
  await expect(page).toHaveURL("/docs/es/publishing#limites");
  await expect(limits).toBeInViewport();
  await page.getByRole("main").getByRole("link", { name: "_headers" }).click();
  await expect(page).toHaveURL("/docs/es/rules");
  await expect(page.getByRole("heading", { level: 1 })).toBeInViewport();
  await box.fill("proxy");
  await expect(page.getByRole("main").getByRole("status")).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Publicar un sitio estático");
  await expect(limits).toBeInViewport();
  await box.fill("100 000");
  await page.getByRole("main").getByRole("link", { name: "Publicar un sitio estático › Límites" }).click();
  await expect(limits).toBeInViewport();
  await page.goto("/docs/rules#_headers");
  await expect(page).toHaveURL("/docs/es/rules#_headers");
  await page.goto("/docs/es/rules#%zz");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Redirecciones y cabeceras");
  await expect(box).toBeVisible();
});

test("a customer opens it from the navigation, in their language, and goes back", async ({ page }) => {
  await signInWithGoogle(page, uniqueEmail(), "/?lang=en");
  await page.getByRole("link", { name: "Documentation" }).click();
  await expect(page).toHaveURL("/docs/en");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("First steps");
  await page.getByRole("link", { name: "Your dashboard", exact: true }).click();
  await expect(page).toHaveURL("/projects");
});
