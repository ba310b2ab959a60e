import { anotherBrowser, expect, field, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

test("the five editors save, close, and show what was saved, also after a reload", async ({ page, consoleErrors }) => {
  await signInWithGoogle(page, uniqueEmail(), "/settings");
  const main = page.getByRole("main");
  const save = async () => {
    await page.getByRole("button", { name: "Guardar" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
  };

  await page.getByRole("button", { name: "Añadir Dirección" }).click();
  await field(page, "Dirección").fill("улица Ленина, 1");
  await field(page, "Código postal").fill("28013");
  await field(page, "Ciudad").fill("Madrid");
  await field(page, "Provincia").fill("Madrid");
  await field(page, "País").selectOption("España");
  await save();
  await page.getByRole("button", { name: "Añadir Teléfono" }).click();
  await field(page, "Teléfono").fill("+34 600 100 200");
  await save();
  await page.getByRole("button", { name: "Añadir Empresa" }).click();
  await field(page, "Nombre de la empresa").fill("<img src=x onerror=alert(1)>");
  await field(page, "NIF o NIF-IVA").fill("ESB12345678");
  await save();
  await page.getByRole("button", { name: "Añadir Contraseña" }).click();
  await field(page, "Contraseña nueva").fill("Segura1234");
  await save();

  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    for (const text of ["улица Ленина, 1", "28013 Madrid", "España", "+34 600 100 200", "ESB12345678"]) {
      await expect(main.getByText(text)).toBeVisible();
    }
    await expect(main.getByText("<img src=x onerror=alert(1)>")).toBeVisible();
    await expect(main.getByRole("img", { name: "Contraseña establecida" })).toBeVisible();
  }

  await page.getByRole("button", { name: "Cambiar Idioma" }).click();
  await field(page, "Idioma").selectOption("en");
  await page.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
  await expect(main.getByText("Spain")).toBeVisible();
  const today = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "Europe/Madrid" }).format(new Date());
  await expect(main.getByText(today, { exact: true })).toBeVisible();
  await expect(main.getByText(new RegExp(`${today} at`))).toBeVisible();
  expect(consoleErrors).toEqual([]);
});

test("faults are told under their field before anything is sent", async ({ page }) => {
  await signInWithGoogle(page, uniqueEmail(), "/settings?lang=en");
  const save = page.getByRole("button", { name: "Save" });
  await page.getByRole("button", { name: "Add Password" }).click();
  await save.click();
  await expect(page.getByText("Password cannot be empty")).toBeVisible();
  const password = field(page, "New password");
  await password.fill("Abc123");
  await expect(page.getByText("Password must be at least 8 characters long")).toBeVisible();
  await password.fill("alllowercase");
  await expect(password).toHaveAccessibleDescription(
    "Password must contain at least one uppercase letter, one lowercase letter, at least one digit, and no spaces",
  );
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add Phone" }).click();
  await field(page, "Phone").fill("call me");
  await save.click();
  await expect(page.getByText("That phone number isn't valid.")).toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
});

test("an editor works by keyboard alone and gives the focus back", async ({ page }) => {
  await signInWithGoogle(page, uniqueEmail(), "/settings");
  const add = page.getByRole("button", { name: "Añadir Teléfono" });
  await add.focus();
  await page.keyboard.press("Enter");
  await expect(field(page, "Teléfono")).toBeFocused();
  await page.keyboard.type("600 100 100");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByRole("button", { name: "Editar Teléfono" })).toBeFocused();
});

test("a saved password signs in by e-mail, and the session in another browser is dead", async ({
  page,
  browser,
  nido,
}) => {
  const email = uniqueEmail();
  await signInWithGoogle(page, email, "/settings");
  const other = await anotherBrowser(browser, nido);
  await signInWithGoogle(other.page, email, "/settings");

  await page.getByRole("button", { name: "Añadir Contraseña" }).click();
  await field(page, "Contraseña nueva").fill("Segura1234");
  await page.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();

  await expect(other.page.getByRole("heading", { name: "Inicia sesión" })).toBeVisible();
  await other.page.getByLabel("Correo").fill(email);
  await other.page.getByLabel("Contraseña").fill("Segura1234");
  await other.page.keyboard.press("Enter");
  await expect(other.page.getByRole("heading", { name: "Ajustes" })).toBeVisible();
  await other.context.close();
});

test("a phone number saved in one browser appears in the other without reload, also after kill -9", async ({
  page,
  browser,
  nido,
}) => {
  const email = uniqueEmail();
  await signInWithGoogle(page, email, "/settings");
  const other = await anotherBrowser(browser, nido);
  await signInWithGoogle(other.page, email, "/settings");
  const phone = (number: string) => other.page.getByRole("main").getByText(number, { exact: true });
  const save = async (number: string) => {
    await page.getByRole("button", { name: /(Añadir|Editar) Teléfono/ }).click();
    await field(page, "Teléfono").fill(number);
    await page.getByRole("button", { name: "Guardar" }).click();
    await expect(page.getByRole("dialog")).toBeHidden();
  };

  await save("600 111 111");
  await expect(phone("600 111 111")).toBeVisible();
  await nido.stop("SIGKILL");
  const notice = page.getByText("No podemos conectar con el servidor.");
  await expect(notice).toBeVisible();
  await nido.start();
  await expect(notice).toBeHidden();
  await save("600 222 222");
  await expect(phone("600 222 222")).toBeVisible();
  await page.reload();
  await expect(page.getByText("600 222 222")).toBeVisible();
  await other.context.close();
});

test("a double click saves once", async ({ page }) => {
  await signInWithGoogle(page, uniqueEmail(), "/settings");
  const revision = () => page.evaluate(async () => (await (await fetch("/redux")).json()).rev as number);
  const before = await revision();
  await page.getByRole("button", { name: "Añadir Teléfono" }).click();
  await field(page, "Teléfono").fill("600 444 444");
  await page.getByRole("button", { name: "Guardar" }).dblclick();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText("600 444 444")).toBeVisible();
  expect(await revision()).toBe(before + 1);
});

test("while the server is away, saving says so and keeps what was typed", async ({ page, context }) => {
  await signInWithGoogle(page, uniqueEmail(), "/settings");
  await page.getByRole("button", { name: "Añadir Teléfono" }).click();
  await field(page, "Teléfono").fill("600 333 333");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByRole("alert")).toContainText("No hemos podido conectar con el servidor");
  await expect(field(page, "Teléfono")).toHaveValue("600 333 333");
  const notice = page.getByText("No podemos conectar con el servidor.");
  await expect(notice).toBeVisible();
  await context.setOffline(false);
  // After going online the browser still refuses requests for a moment. The notice disappears once a request succeeds.
  await expect(notice).toBeHidden();
  await page.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.getByText("600 333 333")).toBeVisible();
});
