/// <reference lib="dom" />
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlanOffers } from "@nido/contract";
import { siteFolder } from "@nido/server/wordpress/siteFolder";
import { openSftpAccount, whyNoSftpAccount } from "@nido/test-kit/sftpAccount";
import type { Page } from "@playwright/test";
import { unzipSync, zipSync } from "fflate";
import { anotherBrowser, expect, long, signInWithGoogle, test, uniqueEmail } from "./nido.ts";
import { openTerminal } from "./openTerminal.ts";

const photo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("from checkout to a published post and a photo", async ({ page, nido, browser, context }) => {
  const name = `site${Math.random().toString(36).slice(2, 10)}`;
  const { year } = (await (
    await fetch(`${nido.origin}/billing/products?recipe_category=wordpress`)
  ).json()) as PlanOffers;
  await signInWithGoogle(page, uniqueEmail());
  await page.goto(`/newproject/wp/1?plan=${year[0]?.plan.id}&category=wordpress`);
  await page.getByLabel("Nombre del sitio").fill(name);
  await page.getByRole("button", { name: "Continuar" }).click();
  await page.getByLabel("Usuario de WordPress").fill("lucia");
  await page.getByRole("button", { name: "Continuar" }).click();
  await page.getByRole("button", { name: /^Pagar \d/ }).click();

  await expect(page.getByRole("heading", { name: "Estamos creando tu WordPress" })).toBeVisible();
  await expect(page.getByRole("status")).toHaveText("Instalando WordPress");
  await expect(page.getByRole("button", { name: "Ir a proyectos" })).toBeDisabled();
  await expect(page.getByRole("heading", { name: "Tu WordPress está listo" })).toBeVisible();
  await page.getByRole("button", { name: "Ir a proyectos" }).click();
  await page.getByRole("link", { name: `Gestionar ${name}` }).click();

  const visitor = await anotherBrowser(browser, nido);
  const address = `http://${name}.localhost:${new URL(nido.origin).port}`;
  await visitor.page.goto(address);
  await expect(visitor.page.getByRole("link", { name: /¡Hola,? mundo!/ })).toBeVisible();

  const visited = context.waitForEvent("page");
  await page.getByRole("link", { name: "Visitar" }).click();
  const site = await visited;
  await expect(site).toHaveURL(`${address}/`);
  await expect(site.getByRole("link", { name: /¡Hola,? mundo!/ })).toBeVisible();
  await site.close();

  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Abrir el panel de WordPress" }).click();
  const admin = await opened;
  await expect(admin).toHaveURL(`${address}/wp-admin/`);
  await skipWelcomeGuide(admin);
  await admin.goto(`${address}/wp-admin/post-new.php`);
  // In Spanish, unless WordPress comes from Debian.
  const canvas = admin.frameLocator("iframe[name=editor-canvas]");
  await canvas.getByRole("textbox", { name: /^(Escribe un título|Add title)$/ }).fill("Abrimos el sábado");
  await admin.keyboard.press("Enter");
  await admin.keyboard.type("Con música y vermut.");
  const publish = { name: /^(Publicar|Publish)$/ };
  await admin.getByRole("button", publish).click();
  await admin
    .getByLabel(/^(Publicación del editor|Editor publish)$/)
    .getByRole("button", publish)
    .click();
  await expect(admin.getByText(/está ahora visible\.|is now live\./)).toBeVisible();

  await visitor.page.goto(address);
  await visitor.page.getByRole("link", { name: "Abrimos el sábado" }).first().click();
  await expect(visitor.page.getByText("Con música y vermut.")).toBeVisible();
  await admin.close();

  const library = context.waitForEvent("page");
  await page.getByRole("button", { name: "Añadir fotos" }).click();
  const media = await library;
  await expect(media).toHaveURL(`${address}/wp-admin/media-new.php`);
  // The uploader's script adds this field.
  const field = media.locator(".moxie-shim input[type=file]");
  await field.setInputFiles({ name: "plaza.png", mimeType: "image/png", buffer: photo });
  await media.locator("#media-items a.edit-attachment").waitFor();
  const list = await visitor.page.goto(`${address}/wp-json/wp/v2/media`);
  const [{ source_url: source }] = (await list?.json()) ?? [{}];
  const seen = await visitor.page.goto(source);
  expect(seen?.headers()["content-type"]).toBe("image/png");
  expect((await seen?.body())?.length).toBeGreaterThan(60);
  await visitor.context.close();
});

test(
  "a plugin that breaks the site is named and turned off from the dashboard; one click still opens the admin",
  long,
  async ({ page, nido, customer, context }) => {
    const name = `site${Math.random().toString(36).slice(2, 10)}`;
    const address = `http://${name}.localhost:${new URL(nido.origin).port}`;
    await customer.makeWordPress(name);
    await page.goto("/projects");
    await page.getByRole("link", { name: `Gestionar ${name}` }).click();
    await page.getByRole("link", { name: "WordPress", exact: true }).click();
    await expect(page.getByText("Este sitio no tiene plugins.")).toBeVisible();
    const [, id = ""] = /projects\/([^?]+)/.exec(page.url()) ?? [];

    const plugins = join(nido.dataDir, "sites", id, "wp-content/plugins");
    mkdirSync(plugins, { recursive: true });
    writeFileSync(join(plugins, "shop.php"), "<?php\n/* Plugin Name: Corner shop */\nfunction_that_does_not_exist();");
    const activate = "update_option('active_plugins', ['shop.php']); echo 'activated';";
    writeFileSync(join(plugins, "activate.php"), `<?php require '/wordpress/wp-load.php'; ${activate}`);
    const site = await context.newPage();
    await site.goto(`${address}/wp-content/plugins/activate.php`);
    await expect(site.getByText("activated")).toBeVisible();
    expect((await site.goto(`${address}/?s=x`))?.status()).toBe(500);

    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "General" }).click();
    await page.getByRole("button", { name: "Abrir el panel de WordPress" }).click();
    const admin = await opened;
    await expect(admin).toHaveURL(`${address}/wp-admin/`);
    await expect(admin.locator("#wpadminbar")).toBeVisible();
    await admin.close();

    await page.getByRole("link", { name: "WordPress", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("El plugin «shop.php» provocó un error");
    await page.screenshot({ path: "../test-results/screens/wordpress-fatal.jpg", type: "jpeg", fullPage: true });
    await page.getByRole("button", { name: "Desactivar Corner shop" }).click();
    await expect(page.getByRole("alert")).toHaveCount(0);
    expect((await site.goto(`${address}/?s=x`))?.status()).toBe(200);
    await page.getByRole("button", { name: "Vaciar la caché" }).click();
    await expect(page.getByText("Caché vaciada")).toBeVisible();
    await page.getByRole("button", { name: "Volver a activar Corner shop" }).click();
    await expect(page.getByRole("button", { name: "Desactivar Corner shop" })).toBeFocused();
  },
);

test(
  "a backup is made with a note, downloaded and restored from the dashboard, and the restore is undone",
  long,
  async ({ page, nido, customer }) => {
    const name = `site${Math.random().toString(36).slice(2, 10)}`;
    const host = `${name}.localhost:${new URL(nido.origin).port}`;
    await customer.makeWordPress(name);
    await page.goto("/projects");
    await page.getByRole("link", { name: `Gestionar ${name}` }).click();
    await page.getByRole("link", { name: "WordPress", exact: true }).click();
    await expect(page.getByText("Tu plan guarda las últimas 7 y, aparte, las últimas 5 que hagas tú.")).toBeVisible();
    const [, id = ""] = /projects\/([^?]+)/.exec(page.url()) ?? [];
    const programs = join(nido.dataDir, "sites", id, "wp-content/plugins");
    mkdirSync(programs, { recursive: true });
    const see = async (path: string) => (await page.request.get(`${nido.origin}${path}`, { headers: { host } })).text();
    const rename = async (title: string) => {
      const code = `wp_set_current_user(1); update_option('blogname', '${title}'); echo 'renamed';`;
      writeFileSync(join(programs, `${title}.php`), `<?php require '/wordpress/wp-load.php'; ${code}`);
      expect(await see(`/wp-content/plugins/${title}.php`)).toBe("renamed");
    };
    await rename("Antes");

    await page.getByLabel("Nota (opcional)").fill("Antes de cambiar");
    await page.getByRole("button", { name: "Hacer una copia" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Antes de cambiar" });
    await expect(row).toContainText("Hecha por ti");
    await page.screenshot({ path: "../test-results/screens/backups.jpg", type: "jpeg", fullPage: true });
    const downloading = page.waitForEvent("download");
    await row.getByRole("button", { name: /Descargar/ }).click();
    expect((await downloading).suggestedFilename()).toMatch(new RegExp(`^${name}-.*\\.tar\\.gz$`));

    await rename("Despues");
    expect(await see("/")).toContain("<title>Despues");
    await row.getByRole("button", { name: /Restaurar/ }).click();
    await expect(page.getByRole("dialog")).toContainText("¿Qué quieres restaurar?");
    await page.getByRole("dialog").getByRole("button", { name: "Restaurar" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: "Antes de restaurar" })).toBeVisible();
    await expect(page.getByRole("progressbar", { name: "Restaurando la copia de seguridad" })).toHaveCount(0);
    await expect.poll(() => see("/")).toContain("<title>Antes");

    await page.getByRole("link", { name: "Actividad" }).click();
    const restored = page.getByRole("listitem").filter({ hasText: "Se ha restaurado una copia de seguridad" });
    await restored.getByRole("button", { name: /Deshacer/ }).click();
    await expect.poll(() => see("/")).toContain("<title>Despues");
  },
);

test("a change is tried on a staging copy, published, undone, and the copy deleted", async ({
  page,
  nido,
  customer,
  context,
}) => {
  const name = `site${Math.random().toString(36).slice(2, 10)}`;
  const { port } = new URL(nido.origin);
  await customer.makeWordPress(name, "wordpress_pro");
  await page.goto("/projects");
  await page.getByRole("link", { name: `Gestionar ${name}` }).click();
  await page.getByRole("link", { name: "WordPress", exact: true }).click();
  await page.getByRole("button", { name: "Hacer una copia de pruebas" }).click();
  const link = page.getByRole("link", { name: `staging--${name}.localhost:${port}` });
  await expect(link).toBeVisible();
  const section = page.locator("section").filter({ has: page.getByRole("heading", { name: "Copia de pruebas" }) });
  await section.screenshot({ path: "../test-results/screens/staging.jpg", type: "jpeg" });

  const opened = context.waitForEvent("page");
  await section.getByRole("button", { name: "Abrir el panel de WordPress" }).click();
  const admin = await opened;
  await expect(admin).toHaveURL(`http://staging--${name}.localhost:${port}/wp-admin/`);
  await expect(admin.locator("#wp-admin-bar-nido-staging")).toBeVisible();
  await admin.goto(`http://staging--${name}.localhost:${port}/wp-admin/options-general.php`);
  await admin.locator("#blogname").fill("Nuevo diseño");
  await admin.locator("#submit").click();
  await expect(admin.locator(".notice-success")).toBeVisible();
  await admin.close();
  const site = await context.newPage();
  const live = async () => {
    await site.goto(`http://${name}.localhost:${port}/`);
    return site.title();
  };
  expect(await live()).not.toContain("Nuevo diseño");

  await section.getByRole("button", { name: "Publicar la copia" }).click();
  await expect(page.getByRole("dialog")).toContainText("¿Qué quieres publicar?");
  const publish = page.getByRole("dialog").getByRole("button", { name: "Publicar la copia" });
  await page.getByLabel(/Solo la base de datos/).check();
  await page.getByRole("radio", { name: "Solo las que elija" }).check();
  await expect(publish).toBeDisabled();
  await page.getByRole("checkbox", { name: /^wp_options/ }).check();
  await page.screenshot({ path: "../test-results/screens/push-tables.png" });
  await publish.click();
  await expect(page.getByRole("listitem").filter({ hasText: "Antes de publicar la copia de pruebas" })).toBeVisible();
  await expect.poll(live).toContain("Nuevo diseño");
  await page.getByRole("link", { name: "Actividad" }).click();
  const pushed = page.getByRole("listitem").filter({ hasText: "Se ha publicado la copia de pruebas" });
  await pushed.getByRole("button", { name: /Deshacer/ }).click();
  await expect.poll(live).not.toContain("Nuevo diseño");

  await page.getByRole("link", { name: "WordPress", exact: true }).click();
  await section.getByRole("button", { name: "Eliminar la copia" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Eliminar la copia" }).click();
  await expect(section.getByRole("button", { name: "Hacer una copia de pruebas" })).toBeVisible();
  expect((await site.goto(`http://staging--${name}.localhost:${port}/`))?.status()).toBe(404);
});

test(
  "a test message is sent, and the command-line tool does what the dashboard does",
  long,
  async ({ page, nido, customer }) => {
    const name = `site${Math.random().toString(36).slice(2, 10)}`;
    await customer.makeWordPress(name, "wordpress_pro");
    await page.goto("/projects");
    await page.getByRole("link", { name: `Gestionar ${name}` }).click();
    await page.getByRole("link", { name: "WordPress", exact: true }).click();
    await expect(page.getByText("Todos los plugins y temas están al día.")).toBeVisible();
    await page.getByRole("button", { name: "Enviarme un mensaje de prueba" }).click();
    const message = page.getByRole("listitem").filter({ hasText: `Test message from ${name}.localhost` });

    const terminal = await openTerminal(nido);
    const token = { NIDO_TOKEN: await customer.giveLogin() };
    const run = async (...args: string[]) => {
      const result = await terminal.nido(["wp", ...args, "--project", name], token);
      expect(result.stderr).not.toContain("nido --help");
      return result;
    };
    expect((await terminal.nido(["wp", "sites"], token)).stdout).toContain(name);
    expect(await run("backup", "desde la consola")).toMatchObject({ code: 0 });
    expect((await run("backups")).stdout).toContain("desde la consola");
    expect((await run("staging")).stdout).toContain(`staging--${name}`);
    expect((await run("updates")).stderr).toContain("No hay nada que actualizar.");
    expect(await run("php")).toMatchObject({
      stdout: expect.stringMatching(/^8\.3\./),
      stderr: expect.stringContaining("PHP 8.4"),
    });
    expect(await run("php", "5.6")).toMatchObject({ code: 2, stderr: expect.stringContaining("No hay PHP 5.6.") });
    await page.getByLabel("Versión de PHP").selectOption("8.4");
    await page.getByRole("button", { name: "Cambiar", exact: true }).click();
    await expect(page.getByLabel("Versión de PHP")).toContainText(/8\.4\.\d+ \(actual\)/);
    await page
      .locator("section")
      .filter({ has: page.getByLabel("Versión de PHP") })
      .screenshot({
        path: "../test-results/screens/php-version.png",
      });
    expect(await run("php", "8.3")).toMatchObject({ code: 0 });
    expect((await run("staging", "push", "--parts", "files")).stderr).toContain("Copia de pruebas publicada.");
    expect((await run("staging", "delete")).code).toBe(0);
    expect((await run("purge")).stderr).toContain("Caché vaciada.");
    terminal.close();

    await expect(message).toContainText("Enviado");
    await page.getByRole("link", { name: "Actividad" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: "Se ha publicado la copia de pruebas" })).toBeVisible();
  },
);

test("files are sent by SFTP with a password from the dashboard, which can be revoked", async ({
  page,
  nido,
  customer,
}) => {
  const name = `site${Math.random().toString(36).slice(2, 10)}`;
  await customer.makeWordPress(name);
  await page.goto("/projects");
  await page.getByRole("link", { name: `Gestionar ${name}` }).click();
  await page.getByRole("link", { name: "Herramientas" }).click();
  const section = page.locator("section").filter({ has: page.getByRole("heading", { name: "Archivos por SFTP" }) });
  await section.getByRole("button", { name: "Crear una contraseña válida durante 8 horas" }).click();
  const password = section.locator("code").nth(1);
  await expect(password).toHaveText(/^\S{24}$/);
  const [, port = ""] = /-P (\d+)/.exec((await section.locator("code").first().textContent()) ?? "") ?? [];

  const folder = mkdtempSync(join(tmpdir(), "nido-sftp-"));
  const program = join(folder, "askpass");
  writeFileSync(program, `#!/bin/sh\necho '${await password.textContent()}'\n`, { mode: 0o700 });
  writeFileSync(join(folder, "hola.txt"), "Hola desde SFTP");
  const put = () => {
    const options = ["StrictHostKeyChecking=no", `UserKnownHostsFile=${folder}/known`, "PubkeyAuthentication=no"];
    const args = ["-q", "-P", port, ...options.flatMap((option) => ["-o", option]), `${name}@127.0.0.1`];
    const env = { ...process.env, SSH_ASKPASS: program, SSH_ASKPASS_REQUIRE: "force" };
    return spawnSync("sftp", args, { env, cwd: folder, input: "put hola.txt wp-content/uploads/\n" }).status;
  };
  expect(put()).toBe(0);
  const address = `http://${name}.localhost:${new URL(nido.origin).port}`;
  const site = await page.context().newPage();
  const sent = await site.goto(`${address}/wp-content/uploads/hola.txt`);
  expect(await sent?.text()).toBe("Hola desde SFTP");
  await site.close();

  await section.getByRole("button", { name: "Anular la contraseña" }).click();
  await expect(section.getByRole("button", { name: "Anular la contraseña" })).toBeHidden();
  expect(put()).not.toBe(0);
  await section.getByLabel("Nombre de la clave").fill("Portátil");
  await section.getByLabel("Clave pública").fill("-----BEGIN OPENSSH PRIVATE KEY-----");
  await section.getByRole("button", { name: "Añadir una clave" }).click();
  await expect(section.getByRole("alert")).toContainText("Eso no es una clave pública");
  rmSync(folder, { recursive: true });
});

test("commands of WP-CLI and SQL statements change the site, from the dashboard and the terminal", async ({
  page,
  nido,
  customer,
}) => {
  const name = `site${Math.random().toString(36).slice(2, 10)}`;
  await customer.makeWordPress(name);
  await page.goto("/projects");
  await page.getByRole("link", { name: `Gestionar ${name}` }).click();
  await page.getByRole("link", { name: "Herramientas" }).click();
  const command = page.getByRole("textbox", { name: "Comando de WP-CLI" });
  const screen = page.getByRole("log");
  const run = async (text: string) => {
    await command.fill(text);
    await command.press("Enter");
    await expect(page.getByRole("button", { name: "Ejecutar" }).first()).toBeVisible();
  };
  await run("option update blogname 'Nuevo nombre'");
  await expect(screen).toContainText("Success: Updated 'blogname' option.");
  await run("option get 'nothing");
  await expect(page.getByText("Falta cerrar unas comillas.")).toBeVisible();
  await run("eval 'echo 1;'");
  await expect(page.getByText("Ese comando, o alguna de sus opciones, no se puede usar aquí.")).toBeVisible();
  await run("search-replace 'Nuevo nombre' 'Otro nombre'");
  await expect(screen).toContainText("Antes, hacemos una copia de seguridad…");
  await expect(screen).toContainText("Success: Made");
  await command.press("ArrowUp");
  await expect(command).toHaveValue("search-replace 'Nuevo nombre' 'Otro nombre'");
  const address = `http://${name}.localhost:${new URL(nido.origin).port}`;
  const site = await page.context().newPage();
  await site.goto(address);
  await expect(site).toHaveTitle(/Otro nombre/);

  await page.getByRole("button", { name: "Abrir la base de datos" }).click();
  await page.getByRole("combobox", { name: "Tabla" }).selectOption("wp_users");
  await expect(page.getByRole("columnheader", { name: "user_login" })).toBeVisible();
  const statement = page.getByRole("textbox", { name: "Sentencia SQL" });
  await statement.fill("update wp_options set option_value = 'Por SQL' where option_name = 'blogname'");
  await page.getByRole("button", { name: "Ejecutar" }).last().click();
  await expect(page.getByText("1 fila modificada.")).toBeVisible();
  await site.goto(address);
  await expect(site).toHaveTitle(/Por SQL/);
  await statement.fill("selec 1");
  await page.getByRole("button", { name: "Ejecutar" }).last().click();
  await expect(page.getByRole("alert")).toBeVisible();
  await site.close();

  const terminal = await openTerminal(nido);
  const token = { NIDO_TOKEN: await customer.giveLogin() };
  const wp = (...args: string[]) => terminal.nido(["wp", "cli", "--project", name, ...args], token);
  expect(await wp("--", "option", "get", "blogname")).toMatchObject({ code: 0, stdout: "Por SQL", stderr: "" });
  expect(JSON.parse((await wp("--", "user", "list", "--format=json")).stdout)).toHaveLength(1);
  expect(await wp("option", "get", "nothing")).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse((await wp("--json", "core", "version")).stdout)).toMatchObject({ exit: 0, err: "" });
  expect((await wp("--", "shell")).stderr).toContain("Ese comando, o alguna de sus opciones, no se puede usar aquí.");
  terminal.close();
  await page.getByRole("link", { name: "Actividad" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "«wp option update»" })).toBeVisible();
});

test("redirects, files at the root and pages that are not kept are set from the dashboard and the terminal", async ({
  page,
  nido,
  customer,
}) => {
  const name = `site${Math.random().toString(36).slice(2, 10)}`;
  await customer.makeWordPress(name);
  await page.goto("/projects");
  await page.getByRole("link", { name: `Gestionar ${name}` }).click();
  await page.getByRole("link", { name: "Herramientas" }).click();
  const redirects = page.getByRole("textbox", { name: "Redirecciones" });
  await redirects.fill("/antigua/* /nueva/:splat 301\n/wp-admin/* /otra");
  await expect(page.getByText("La línea 2 no se puede usar: /wp-admin/* /otra 301")).toBeVisible();
  await redirects.fill("/antigua/* /nueva/:splat 301");
  await page.getByRole("textbox", { name: "Páginas que no se guardan en la caché" }).fill("/tienda/*");
  await page.getByRole("button", { name: "Añadir un archivo" }).click();
  await page.getByRole("textbox", { name: "Nombre del archivo" }).fill("/shell.php");
  await page.getByRole("textbox", { name: "Contenido" }).fill("google.com, pub-1, DIRECT");
  await page.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByText("Usa un nombre como «ads.txt»")).toBeVisible();
  await page.getByRole("textbox", { name: "Nombre del archivo" }).fill("/ads.txt");
  await page.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByText("Guardado")).toBeVisible();
  const address = `http://${name}.localhost:${new URL(nido.origin).port}`;
  const site = await page.context().newPage();
  await site.goto(`${address}/antigua/un-dia?a=1`);
  await expect(site).toHaveURL(`${address}/nueva/un-dia?a=1`);
  expect(await (await site.goto(`${address}/ads.txt`))?.text()).toBe("google.com, pub-1, DIRECT");
  await site.close();

  const terminal = await openTerminal(nido);
  const token = { NIDO_TOKEN: await customer.giveLogin() };
  const run = (...args: string[]) => terminal.nido(["wp", ...args, "--project", name], token);
  const printed = JSON.parse((await run("rules")).stdout);
  expect(printed.uncached).toEqual(["/tienda/*"]);
  terminal.write({ "bad.json": "{", "loop.json": `{"redirects":"a b"}`, "rules.json": `{"uncached":["/otra/*"]}` });
  expect((await run("rules", "bad.json")).stderr).toContain("«bad.json» no es un archivo JSON");
  expect((await run("rules", "loop.json")).stderr).toContain("Redirecciones, línea 1: «a b» no se puede usar.");
  expect((await run("rules", "rules.json")).stderr).toContain("Se aplica al momento.");
  expect((await run("slow")).code).toBe(0);
  terminal.close();
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Páginas que no se guardan en la caché" })).toHaveValue("/otra/*");
  await page.getByRole("link", { name: "Actividad" }).click();
  const entry = page.getByRole("listitem").filter({ hasText: "Has cambiado las redirecciones" });
  await expect(entry.first()).toBeVisible();
});

test(
  "another WordPress moves in: its archive is looked at, seen in a staging copy, and published",
  long,
  async ({ page, nido, customer }) => {
    const name = `site${Math.random().toString(36).slice(2, 10)}`;
    await customer.makeWordPress(name);
    await page.goto("/projects");
    await page.getByRole("link", { name: `Gestionar ${name}` }).click();
    await page.getByRole("link", { name: "WordPress", exact: true }).click();
    const section = page
      .locator("section")
      .filter({ has: page.getByRole("heading", { name: "Traer otro WordPress" }) });
    const choose = section.locator("input[type=file]");
    await choose.setInputFiles({ name: "foto.png", mimeType: "image/png", buffer: photo });
    await expect(section.getByRole("alert")).toContainText("no es un ZIP ni un tar");

    const archive = zipSync({
      "viejo/wp-content/uploads/hola.txt": Buffer.from("Hola"),
      "viejo/wp-content/object-cache.php": Buffer.from("<?php"),
      "viejo/base.sql": Buffer.from(oldSite),
    });
    await choose.setInputFiles({ name: "viejo.zip", mimeType: "application/zip", buffer: Buffer.from(archive) });
    await expect(section.getByText("https://panaderia.example")).toBeVisible();
    await expect(section.getByText("object-cache.php")).toBeVisible();
    await section.getByRole("button", { name: "Traer a una copia de pruebas" }).click();
    const { port } = new URL(nido.origin);
    await expect(page.getByRole("link", { name: `staging--${name}.localhost` })).toBeVisible();
    const site = await page.context().newPage();
    await site.goto(`http://staging--${name}.localhost:${port}/`);
    await expect(site).toHaveTitle(/Panadería Luz/);
    await site.goto(`http://${name}.localhost:${port}/`);
    await expect(site).not.toHaveTitle(/Panadería Luz/);
    await page.getByRole("button", { name: "Publicar la copia" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Publicar la copia" }).click();
    await expect
      .poll(async () => {
        await site.goto(`http://${name}.localhost:${port}/`);
        return site.title();
      })
      .toContain("Panadería Luz");
  },
);

test("another WordPress moves in from the terminal", long, async ({ nido, customer }) => {
  const name = `site${Math.random().toString(36).slice(2, 10)}`;
  await customer.makeWordPress(name);
  const terminal = await openTerminal(nido);
  const token = { NIDO_TOKEN: await customer.giveLogin() };
  const run = (...args: string[]) => terminal.nido(["wp", "move-in", ...args, "--project", name], token);
  expect(await run("nada.zip")).toMatchObject({ code: 2, stderr: expect.stringContaining("No existe nada.zip") });
  expect((await run("127.0.0.1", "--user", "luz")).code).toBe(2);
  expect((await run("127.0.0.1")).code).toBe(4);
  expect((await run("start")).stderr).toContain("Todavía no hay nada que traer");
  const plugin = await run("plugin");
  expect(plugin.stdout).toBe("nido-move.zip");
  expect(Object.keys(unzipSync(readFileSync(join(terminal.work, "nido-move.zip"))))).toEqual([
    "nido-move/nido-move.php",
    "nido-move/table-sql.php",
  ]);

  writeFileSync(join(terminal.work, "foto.png"), photo);
  expect(await run("foto.png")).toMatchObject({ code: 1, stderr: expect.stringContaining("no es un ZIP ni un tar") });
  const archive = zipSync({
    "viejo/wp-content/uploads/hola.txt": Buffer.from("Hola"),
    // More than a part.
    "viejo/wp-content/uploads/ruido.bin": randomBytes(9 * 2 ** 20),
    "viejo/base.sql": Buffer.from(oldSite),
  });
  writeFileSync(join(terminal.work, "viejo.zip"), archive);
  const looked = await run("viejo.zip");
  expect(looked.stdout).toContain("https://panaderia.example");
  expect(looked.stderr).toContain("nido wp move-in start");
  expect((await run("discard")).stderr).toContain("Descartado.");
  const { stdout, stderr } = await run("viejo.zip", "--yes", "--json");
  expect(stderr).toContain("El otro WordPress está en la copia de pruebas.");
  expect(JSON.parse(stdout).url).toContain(`staging--${name}.localhost`);
  terminal.close();
});

test("another WordPress is copied from its address, with our plugin in it", long, async ({ page, nido, customer }) => {
  const [name, other] = ["a", "b"].map((letter) => `${letter}${Math.random().toString(36).slice(2, 10)}`) as [
    string,
    string,
  ];
  const { port } = new URL(nido.origin);
  const address = `http://${other}.localhost:${port}`;
  await customer.makeWordPress(name);
  await customer.makeWordPress(other);
  await page.goto("/projects");
  await page.getByRole("link", { name: `Gestionar ${name}` }).click();
  await page.getByRole("link", { name: "WordPress", exact: true }).click();
  const section = page.locator("section").filter({ has: page.getByRole("heading", { name: "Traer otro WordPress" }) });
  const download = page.waitForEvent("download");
  await section.getByRole("link", { name: "Descarga nuestro plugin" }).click();
  const plugin = await (await download).path();
  await section.getByLabel("Dirección del otro sitio").fill(address);
  await section.getByLabel("Tu usuario allí").fill("lucia");
  await section.getByLabel("Contraseña de aplicación").fill("abcd efgh ijkl mnop qrst uvwx");
  await section.getByRole("button", { name: "Copiar el sitio" }).click();
  await expect(section.getByRole("alert")).toContainText("plugin no está activo");
  await section.screenshot({ path: "../test-results/screens/move-in-address.png" });

  const projects = await page.context().newPage();
  await projects.goto("/projects");
  await projects.getByRole("link", { name: `Gestionar ${other}` }).click();
  const opened = page.context().waitForEvent("page");
  await projects.getByRole("button", { name: "Abrir el panel de WordPress" }).click();
  const admin = await opened;
  await admin.goto(`${address}/wp-admin/plugin-install.php?tab=upload`);
  await admin.locator("#pluginzip").setInputFiles({
    name: "nido-move.zip",
    mimeType: "application/zip",
    buffer: readFileSync(plugin),
  });
  await admin.locator("#install-plugin-submit").click();
  await admin.getByRole("link", { name: /^(Activar plugin|Activate Plugin)$/ }).click();
  await expect(admin.getByRole("row", { name: /Nido Move/ })).toBeVisible();
  await admin.goto(`${address}/wp-admin/options-general.php`);
  await admin.locator("#blogname").fill("Panadería Luz");
  await admin.locator("#submit").click();
  await admin.goto(`${address}/wp-admin/profile.php`);
  await admin.locator("#new_application_password_name").fill("Nido");
  await admin.locator("#do_new_application_password").click();
  const password = await admin.locator("#new-application-password-value").inputValue();
  const user = await admin.locator("#user_login").inputValue();

  await section.getByLabel("Tu usuario allí").fill(user);
  await section.getByRole("button", { name: "Copiar el sitio" }).click();
  await expect(section.getByRole("alert")).toContainText("no acepta el usuario");
  await section.getByLabel("Contraseña de aplicación").fill(password);
  await section.getByRole("button", { name: "Copiar el sitio" }).click();
  await expect(section.getByText(address)).toBeVisible();
  await section.screenshot({ path: "../test-results/screens/move-in-report.png" });
  await section.getByRole("button", { name: "Traer a una copia de pruebas" }).click();
  await expect(page.getByRole("link", { name: `staging--${name}.localhost` })).toBeVisible();
  await admin.goto(`http://staging--${name}.localhost:${port}/`);
  await expect(admin).toHaveTitle(/Panadería Luz/);
});

test("another WordPress is copied by an SFTP account", long, async ({ page, nido, customer }) => {
  test.skip(whyNoSftpAccount !== undefined, whyNoSftpAccount);
  const [name, other] = ["a", "b"].map((letter) => `${letter}${Math.random().toString(36).slice(2, 10)}`) as [
    string,
    string,
  ];
  const { port } = new URL(nido.origin);
  const address = `http://${other}.localhost:${port}`;
  await customer.makeWordPress(other);
  await page.goto("/projects");
  await page.getByRole("link", { name: `Gestionar ${other}` }).click();
  await page.waitForURL("**/projects/*");
  const id = new URL(page.url()).pathname.split("/").pop() ?? "";
  const home = mkdtempSync(join(tmpdir(), "nido-home-"));
  mkdirSync(join(home, "public_html/wp-includes"), { recursive: true });
  symlinkSync(siteFolder(nido.dataDir, id).content, join(home, "public_html/wp-content"));
  const { account, stop } = await openSftpAccount(home, "luz", "flor y nata");
  await customer.makeWordPress(name);
  try {
    await page.goto("/projects");
    await page.getByRole("link", { name: `Gestionar ${name}` }).click();
    await page.getByRole("link", { name: "WordPress", exact: true }).click();
    const title = page.getByRole("heading", { name: "Traer otro WordPress" });
    const section = page.locator("section").filter({ has: title });
    await section.getByText("Con una cuenta SFTP").click();
    await section.getByLabel("Dirección del otro sitio").fill(address);
    await section.getByLabel("Servidor SFTP").fill(account.host);
    await section.getByLabel("Puerto").fill(String(account.port));
    await section.getByLabel("Usuario de SFTP").fill("luz");
    await section.getByLabel("Contraseña de SFTP").fill("otra");
    await section.getByRole("button", { name: "Copiar el sitio" }).click();
    await expect(section.getByRole("alert")).toContainText("no acepta ese usuario");
    await section.screenshot({ path: "../test-results/screens/move-in-sftp.png" });
    await section.getByLabel("Contraseña de SFTP").fill("flor y nata");
    await section.getByRole("button", { name: "Copiar el sitio" }).click();
    await expect(section.getByText(address)).toBeVisible();
    await section.getByRole("button", { name: "Descartar" }).click();
    await expect(section.getByText(address)).toBeHidden();

    const terminal = await openTerminal(nido);
    const token = { NIDO_TOKEN: await customer.giveLogin() };
    const run = (...args: string[]) =>
      terminal.nido(["wp", "move-in", address, "--project", name, ...args], token, "flor y nata\n");
    expect(await run("--sftp", "luz")).toMatchObject({ code: 2, stderr: expect.stringContaining("no es una cuenta") });
    const copied = await run("--sftp", `luz@${account.host}:${account.port}`);
    expect([copied.code, copied.stdout]).toEqual([0, expect.stringContaining(address)]);
    terminal.close();
  } finally {
    await stop();
    rmSync(home, { recursive: true, force: true });
  }
});

/** A dump with the few tables that a WordPress cannot do without. The others are created by its upgrade. */
const oldSite = `
CREATE TABLE \`pan_options\` (\`option_id\` bigint(20) unsigned NOT NULL AUTO_INCREMENT, \`option_name\` varchar(191) NOT NULL DEFAULT '', \`option_value\` longtext NOT NULL, \`autoload\` varchar(20) NOT NULL DEFAULT 'yes', PRIMARY KEY (\`option_id\`), UNIQUE KEY \`option_name\` (\`option_name\`)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci;
INSERT INTO \`pan_options\` VALUES (1,'siteurl','https://panaderia.example','yes'),(2,'home','https://panaderia.example','yes'),(3,'blogname','Panadería Luz','yes'),(4,'template','twentytwentyfive','yes'),(5,'stylesheet','twentytwentyfive','yes'),(6,'db_version','57155','yes'),(7,'active_plugins','a:0:{}','yes'),(8,'pan_user_roles','a:1:{s:13:"administrator";a:2:{s:4:"name";s:13:"Administrator";s:12:"capabilities";a:2:{s:14:"manage_options";b:1;s:4:"read";b:1;}}}','yes');
CREATE TABLE \`pan_posts\` (\`ID\` bigint(20) unsigned NOT NULL AUTO_INCREMENT, \`post_author\` bigint(20) unsigned NOT NULL DEFAULT 0, \`post_date\` datetime NOT NULL DEFAULT '0000-00-00 00:00:00', \`post_date_gmt\` datetime NOT NULL DEFAULT '0000-00-00 00:00:00', \`post_content\` longtext NOT NULL, \`post_title\` text NOT NULL, \`post_excerpt\` text NOT NULL, \`post_status\` varchar(20) NOT NULL DEFAULT 'publish', \`comment_status\` varchar(20) NOT NULL DEFAULT 'open', \`ping_status\` varchar(20) NOT NULL DEFAULT 'open', \`post_password\` varchar(255) NOT NULL DEFAULT '', \`post_name\` varchar(200) NOT NULL DEFAULT '', \`to_ping\` text NOT NULL, \`pinged\` text NOT NULL, \`post_modified\` datetime NOT NULL DEFAULT '0000-00-00 00:00:00', \`post_modified_gmt\` datetime NOT NULL DEFAULT '0000-00-00 00:00:00', \`post_content_filtered\` longtext NOT NULL, \`post_parent\` bigint(20) unsigned NOT NULL DEFAULT 0, \`guid\` varchar(255) NOT NULL DEFAULT '', \`menu_order\` int(11) NOT NULL DEFAULT 0, \`post_type\` varchar(20) NOT NULL DEFAULT 'post', \`post_mime_type\` varchar(100) NOT NULL DEFAULT '', \`comment_count\` bigint(20) NOT NULL DEFAULT 0, PRIMARY KEY (\`ID\`));
CREATE TABLE \`pan_users\` (\`ID\` bigint(20) unsigned NOT NULL AUTO_INCREMENT, \`user_login\` varchar(60) NOT NULL DEFAULT '', \`user_pass\` varchar(255) NOT NULL DEFAULT '', \`user_nicename\` varchar(50) NOT NULL DEFAULT '', \`user_email\` varchar(100) NOT NULL DEFAULT '', \`user_url\` varchar(100) NOT NULL DEFAULT '', \`user_registered\` datetime NOT NULL DEFAULT '0000-00-00 00:00:00', \`user_activation_key\` varchar(255) NOT NULL DEFAULT '', \`user_status\` int(11) NOT NULL DEFAULT 0, \`display_name\` varchar(250) NOT NULL DEFAULT '', PRIMARY KEY (\`ID\`));
INSERT INTO \`pan_users\` VALUES (1,'luz','!','luz','luz@example.com','','2020-01-01 00:00:00','',0,'Luz');
CREATE TABLE \`pan_usermeta\` (\`umeta_id\` bigint(20) unsigned NOT NULL AUTO_INCREMENT, \`user_id\` bigint(20) unsigned NOT NULL DEFAULT 0, \`meta_key\` varchar(255) DEFAULT NULL, \`meta_value\` longtext, PRIMARY KEY (\`umeta_id\`));
INSERT INTO \`pan_usermeta\` VALUES (1,1,'pan_capabilities','a:1:{s:13:"administrator";b:1;}');
`;

/**
 * Sets the user's preference not to see the guide of WordPress's editor. On a slow machine the guide comes back
 * after it was closed, and covers the editor.
 */
function skipWelcomeGuide(page: Page) {
  return page.addInitScript(() => {
    const preferences = { _modified: new Date().toISOString(), "core/edit-post": { welcomeGuide: false } };
    localStorage.setItem("WP_PREFERENCES_USER_1", JSON.stringify(preferences));
  });
}
