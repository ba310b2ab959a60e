import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "./nido.ts";
import { openTerminal } from "./openTerminal.ts";

const run = promisify(execFile);

test("from an empty folder to a published site, and back", async ({ page, customer, nido }) => {
  const name = `folio${Date.now() % 1e6}`;
  const id = await customer.addProject(name, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const site = nido.origin.replace("localhost", `${name}.localhost`);
  const look = async () =>
    (await page.request.get(`${nido.origin}/`, { headers: { host: new URL(site).host } })).text();

  const refused = await terminal.nido(["publish"]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("nido login")]);
  const login = terminal.start(["login"], { BROWSER: terminal.browser });
  await expect.poll(() => terminal.openedUrl()).toContain("/clilogin?port=");
  await expect.poll(() => login.output()).toContain("/clilogin?port=");
  await page.goto(terminal.openedUrl());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("¿Dar acceso a la herramienta?");
  await page.screenshot({ path: "../test-results/screens/cli-grant.jpg", type: "jpeg", quality: 70 });
  await page.getByRole("button", { name: "Dar acceso", exact: true }).click();
  await expect(page).toHaveURL("/clisuccess");
  expect(await login.ended).toBe(0);
  expect(login.output()).toContain("Has entrado como");

  terminal.write({
    "dist/index.html": '<title>Uno</title><link rel=stylesheet href="a.css"><a href="/nada">x</a>',
    "dist/a.css": "body { color: teal }",
  });
  expect((await terminal.nido(["init"])).code).toBe(4);
  expect(await terminal.nido(["init", "--yes"])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(terminal.work, "nido.json"), "utf8"))).toEqual({ project: name, folder: "dist" });

  await page.goto(`/projects/${id}`);
  const first = await terminal.nido(["publish", "-m", "La primera"]);
  expect([first.code, first.stdout]).toEqual([0, site]);
  expect(first.stderr).toContain("index.html: /nada");
  expect(first.stderr).toContain("páginas 1 kB, estilos 1 kB");
  expect(await look()).toContain("Uno");
  const deploys = page.getByRole("listitem").filter({ hasText: "archivos" });
  await expect(deploys.filter({ hasText: "La primera" })).toContainText("En línea");
  await deploys.getByRole("button", { name: /^1 aviso/ }).click();
  const noticed = page.getByRole("dialog");
  await noticed.getByText("1 enlace interno no lleva a nada.").click();
  await expect(noticed.getByText("index.html: /nada")).toBeVisible();
  await expect(noticed.getByRole("term").first()).toHaveText("páginas");
  await page.screenshot({ path: "../test-results/screens/findings.jpg", type: "jpeg", quality: 70 });
  await page.keyboard.press("Escape");
  const strict = await terminal.nido(["publish", "--strict"]);
  expect([strict.code, strict.stdout]).toEqual([1, ""]);
  expect(strict.stderr).toMatch(/index\.html: \/nada[\s\S]*No se ha publicado nada: hay 1 aviso/);

  terminal.write({ "dist/index.html": "<title>Dos</title>" });
  const second = await terminal.nido(["publish", "--json"]);
  expect(JSON.parse(second.stdout)).toMatchObject({ url: site, added: [], changed: ["index.html"], sent: 1 });
  expect(await look()).toContain("Dos");
  await expect(deploys).toHaveCount(2);

  const restore = { name: /^Restaurar esta versión/ };
  await deploys.filter({ hasText: "La primera" }).getByRole("button", restore).click();
  await page.getByRole("dialog").getByRole("button", { name: "Restaurar esta versión" }).click();
  await expect(deploys.filter({ hasText: "La primera" })).toContainText("En línea");
  expect(await look()).toContain("Uno");
  await page.screenshot({ path: "../test-results/screens/deploys.jpg", type: "jpeg", quality: 70, fullPage: true });
  const { id: latest } = JSON.parse(second.stdout);
  expect(await terminal.nido(["rollback", latest])).toMatchObject({ code: 0, stdout: site });
  expect(await look()).toContain("Dos");
  expect(await terminal.nido(["rollback"])).toMatchObject({ code: 0, stdout: site });
  expect(await look()).toContain("Uno");
  expect((await terminal.nido(["rollback"])).stderr).toContain("no se publicó nada");

  const preview = await terminal.nido(["publish", "--branch", "prueba"]);
  expect(preview.stdout).toBe(site.replace(name, `prueba--${name}`));
  await expect(page.getByRole("link", { name: `prueba--${name}` })).toBeVisible();

  expect(await terminal.nido(["open"], { BROWSER: terminal.browser })).toMatchObject({ code: 0 });
  await expect.poll(() => terminal.openedUrl()).toBe(site);
  expect(await terminal.nido(["open", "--branch", "prueba"], { BROWSER: terminal.browser })).toMatchObject({ code: 0 });
  await expect.poll(() => terminal.openedUrl()).toBe(preview.stdout);

  await look();
  await expect.poll(async () => (await terminal.nido(["logs"])).stdout).toMatch(/\d {2}200 {2}\w+ +\d+ {2}GET {2}\/$/m);
  const www = await terminal.nido(["domains", "add", `www.${name}.example.com`]);
  expect([www.code, www.stdout]).toEqual([0, `CNAME\twww.${name}.example.com\t${name}.localhost`]);
  await page.goto(`/projects/${id}?tab=configuration`);
  await expect(page.getByText(`www.${name}.example.com`).first()).toBeVisible();
  expect((await terminal.nido(["domains"])).stdout).toMatch(
    new RegExp(`^www.${name}.example.com\tmain\tpendiente$`, "m"),
  );
  expect((await terminal.nido(["domains", "add", "localhost"])).stderr).toContain("Dominio no válido");
  const own = join(terminal.work, "../node_modules/nido/package.json");
  const whoami = async () => (await terminal.converse("whoami", [])).output;
  expect(await whoami()).not.toContain("otra versión");
  writeFileSync(own, JSON.stringify({ ...JSON.parse(readFileSync(own, "utf8")), version: "0.0.1" }));
  expect(await whoami()).toContain(
    `otra versión de esta herramienta. Instálala con: npm install -g ${nido.origin}/cli/nido.tgz`,
  );
  expect(await whoami()).not.toContain("otra versión");
  expect((await terminal.nido(["completion", "bash"])).stdout).toContain("complete -o default -F _nido nido");

  terminal.write({ "dist/.env": "SECRET=1", "dist/server.key": "x" });
  const secrets = await terminal.nido(["publish"]);
  expect([secrets.code, secrets.stderr]).toEqual([1, expect.stringMatching(/\.env[\s\S]*server\.key/)]);
  terminal.close();
});

test("a preview gets a branch, goes to main, and is deleted; each version keeps its address", async ({
  page,
  customer,
  nido,
}) => {
  const name = `rama${Date.now() % 1e6}`;
  const id = await customer.addProject(name, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const env = { CI: "true", NIDO_TOKEN: await customer.giveToken() };
  const run = (...words: string[]) => terminal.nido([...words, "--project", name], env);
  const host = (label: string) => new URL(nido.origin.replace("localhost", `${label}.localhost`)).host;
  const look = async (address: string) =>
    (await page.request.get(`${nido.origin}/`, { headers: { host: address } })).text();
  terminal.write({ "public/index.html": "<title>Uno</title>" });
  await run("publish", "public");
  terminal.write({ "public/index.html": "<title>Dos</title>" });
  const preview = await run("publish", "public", "--branch", "nueva", "-m", "La nueva");
  const permanent = /http\S+v--[0-9a-f]{12}--\S+/.exec(preview.stderr)?.[0] ?? "";
  expect(await look(new URL(permanent).host)).toContain("Dos");

  await page.goto(`/projects/${id}`);
  const deploys = page.getByRole("listitem").filter({ hasText: "archivo" });
  await expect(deploys.filter({ hasText: "La nueva" }).getByRole("link")).toHaveAttribute("href", permanent);
  await page.getByRole("button", { name: "Publicar en main: nueva" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("lo que ahora muestra la rama nueva");
  await dialog.getByRole("button", { name: "Publicar en main" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Tu sitio ya muestra esta versión")).toBeVisible();
  await expect(page.getByRole("button", { name: /Publicar en main/ })).toHaveCount(0);
  expect(await look(host(name))).toContain("Dos");

  await page.screenshot({ path: "../test-results/screens/branches.jpg", type: "jpeg", quality: 70, fullPage: true });
  await page.getByRole("button", { name: "Borrar rama: nueva" }).click();
  await dialog.getByRole("button", { name: "Borrar rama" }).click();
  // What is behind an open dialog has no role.
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("link", { name: `nueva--${name}` })).toHaveCount(0);
  expect(await look(host(`nueva--${name}`))).not.toContain("Dos");
  expect(await look(new URL(permanent).host)).toContain("Dos");
  await expect(dialog).toHaveCount(0);
  await run("publish", "public", "--branch", "otra");
  await expect(page.getByRole("link", { name: `otra--${name}` })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect(await run("branches", "delete", "otra")).toMatchObject({ code: 0 });

  await page.goto(`/projects/${id}?tab=activity`);
  const removed = page.getByRole("listitem").filter({ hasText: "Se ha borrado la rama nueva" });
  await removed.getByRole("button", { name: /Deshacer/ }).click();
  await expect(page.getByText("vuelve a estar en línea")).toBeVisible();
  expect(await look(host(`nueva--${name}`))).toContain("Dos");

  const branches = await run("branches");
  expect(branches.stdout).toMatch(new RegExp(`^main\\t.*\\nnueva\\t\\S+nueva--${name}`));
  expect((await run("deploys", "--branch", "nueva")).stdout.split("\n")).toHaveLength(1);
  expect(await run("rollback")).toMatchObject({ code: 0 });
  expect(await look(host(name))).toContain("Uno");
  const short = /v--([0-9a-f]{8})/.exec(permanent)?.[1] ?? "";
  expect(await run("promote", short)).toMatchObject({ code: 0 });
  expect(await look(host(name))).toContain("Dos");
  expect(await run("branches", "delete", "nueva")).toMatchObject({ code: 0 });
  expect((await run("branches", "delete", "nueva")).stderr).toContain("Esa rama no existe");
  expect((await run("promote", "nada")).stderr).toContain("no existe");
  terminal.close();
});

test("a folder that is chosen in the browser is the same deploy as with the tool", async ({ page, customer, nido }) => {
  const name = `igual${Date.now() % 1e6}`;
  const id = await customer.addProject(name, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  terminal.write({
    "dist/index.html": "<title>Hola</title>",
    "dist/días y noches/página.html": "<title>ñ</title>",
    "dist/deep/er/still/app-Ab12Cd34.js": "x".repeat(10_000),
    "dist/.well-known/security.txt": "Contact: x",
    "dist/.htaccess": "hidden",
    "dist/.git/config": "x",
    "dist/draft/one.html": "x",
    "dist/draft/kept.html": "x",
    "dist/talk.key": "no secret",
    "dist/empty.txt": "",
    "dist/_headers": "/*\n  X-A: b\n",
    "dist/.nidoignore": "draft/*\n!draft/kept.html\n!talk.key\n*.tmp\n",
    "dist/a.tmp": "x",
  });
  const published = await terminal.nido(["publish", "dist", "--project", name], {
    NIDO_TOKEN: await customer.giveToken(),
  });
  expect(published).toMatchObject({ code: 0 });
  await page.goto(`/projects/${id}`);
  await page.locator("input[webkitdirectory]").setInputFiles(join(terminal.work, "dist"));
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Nuevos: 0");
  await expect(dialog).toContainText("Modificados: 0");
  await expect(dialog).toContainText("Eliminados: 0");
  await dialog.getByRole("button", { name: "Publicar" }).click();
  await expect(page.getByText("Publicado", { exact: true })).toBeVisible();

  const lists = await customer.filesOfDeploys(id);
  expect(lists).toHaveLength(2);
  expect(lists[0]).toEqual(lists[1]);
  expect(lists[0]?.map(([path]) => path)).toEqual([
    ".well-known/security.txt",
    "_headers",
    "deep/er/still/app-Ab12Cd34.js",
    "draft/kept.html",
    "días y noches/página.html",
    "empty.txt",
    "index.html",
    "talk.key",
  ]);
  terminal.close();
});

test("a single-page application is offered the rule that it needs, once", async ({ page, customer, nido }) => {
  const name = `pagina${Date.now() % 1e5}`;
  await customer.addProject(name, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const command = `publish --project ${name} --token ${await customer.giveToken()}`;
  const site = { host: new URL(nido.origin.replace("localhost", `${name}.localhost`)).host };
  const status = async () => (await page.request.get(`${nido.origin}/deep/link`, { headers: site })).status();
  const app = '<title>App</title><div id="root"></div><script src="/app.js"></script>';
  terminal.write({
    "nido.json": '{"folder":"dist"}',
    "public/robots.txt": "",
    "dist/index.html": app,
    "dist/app.js": "1",
  });
  expect((await terminal.converse(command, [])).output).not.toContain("una sola página");

  terminal.write({ "dist/app.js": "history.pushState({}, '', '/deep/link')" });
  expect((await terminal.nido([...command.split(" ")])).stderr).toContain("/* /index.html 200");
  expect(await status()).toBe(404);
  expect(await terminal.converse(command, [["(S/n)", "n\n"]])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(join(terminal.work, "nido.json"), "utf8"))).toEqual({
    folder: "dist",
    singlePage: false,
  });
  expect((await terminal.converse(command, [])).output).not.toContain("(S/n)");

  terminal.write({ "nido.json": '{"folder":"dist"}' });
  expect(await terminal.converse(command, [["(S/n)", "\n"]])).toMatchObject({ code: 0 });
  for (const folder of ["dist", "public"])
    expect(readFileSync(join(terminal.work, folder, "_redirects"), "utf8")).toBe("/* /index.html 200\n");
  expect(await status()).toBe(200);
  expect((await terminal.converse(command, [])).output).not.toContain("(S/n)");
  terminal.close();
});

test("a new branch that takes the place of the oldest is announced before", async ({ customer, nido }) => {
  const name = `veinte${Date.now() % 1e6}`;
  await customer.addProject(name, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const env = { NIDO_TOKEN: await customer.giveToken() };
  const publish = (branch: string) => terminal.nido(["publish", "public", "--project", name, "--branch", branch], env);
  terminal.write({ "public/index.html": "<title>Uno</title>" });
  for (let branch = 1; branch <= 20; branch++)
    expect(await publish(`b${branch}`)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("!") });
  expect((await publish("b1")).stderr).not.toContain("!");
  expect((await publish("b21")).stderr).toContain("la más antigua, «b2», dejará de estar en línea");
  expect((await terminal.nido(["branches", "--project", name], env)).stdout).not.toMatch(/^b2\t/m);
  terminal.close();
});

test("a site and a branch ask for a password that the dashboard or the tool sets", async ({ page, customer, nido }) => {
  const name = `llave${Date.now() % 1e6}`;
  const id = await customer.addProject(name, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const env = { NIDO_TOKEN: await customer.giveToken() };
  const tool = (...words: string[]) => terminal.nido([...words, "--project", name], env);
  terminal.write({ "public/index.html": "<title>Dentro</title>" });
  await tool("publish", "public");
  await tool("publish", "public", "--branch", "nueva");
  const site = nido.origin.replace("localhost", `${name}.localhost`);
  const preview = nido.origin.replace("localhost", `nueva--${name}.localhost`);

  await page.goto(`/projects/${id}?tab=configuration`);
  await expect(page.getByText("Cualquiera puede ver el sitio.")).toBeVisible();
  await page.getByRole("button", { name: "Poner contraseña" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Contraseña nueva").fill("ábrete sésamo");
  await page.screenshot({ path: "../test-results/screens/site-password.jpg", type: "jpeg", quality: 70 });
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByText("Solo quien sabe la contraseña puede ver el sitio.")).toBeVisible();

  const visitor = await page.context().browser()?.newPage();
  if (!visitor) throw new Error("no browser");
  await visitor.goto(`${site}/?a=1`);
  await expect(visitor).toHaveTitle("Este sitio tiene contraseña");
  await visitor.getByLabel("Contraseña").fill("sésamo");
  await visitor.keyboard.press("Enter");
  await expect(visitor.getByRole("alert")).toHaveText("Esa no es la contraseña.");
  await visitor.screenshot({ path: "../test-results/screens/password-form.jpg", type: "jpeg", quality: 70 });
  await visitor.getByLabel("Contraseña").fill("ábrete sésamo");
  await visitor.getByRole("button", { name: "Entrar" }).click();
  await expect(visitor).toHaveTitle("Dentro");
  await expect(visitor).toHaveURL(`${site}/?a=1`);
  await visitor.goto(preview);
  await expect(visitor).toHaveTitle("Este sitio tiene contraseña");

  await page.goto(`/projects/${id}`);
  await page.getByRole("button", { name: "Contraseña de la rama nueva" }).click();
  await dialog.getByLabel("Contraseña nueva").fill("solo la nueva");
  await dialog.getByRole("button", { name: "Guardar" }).click();
  await expect(page.getByText("Con contraseña")).toBeVisible();
  await visitor.reload();
  await visitor.getByLabel("Contraseña").fill("solo la nueva");
  await visitor.keyboard.press("Enter");
  await expect(visitor).toHaveTitle("Dentro");

  expect(await tool("unprotect")).toMatchObject({ code: 0 });
  const look = () => page.request.get(nido.origin, { headers: { host: new URL(site).host } });
  expect(await (await look()).text()).toContain("Dentro");
  const unset = await terminal.converse(`protect --project ${name} --token ${env.NIDO_TOKEN}`, [
    ["Contraseña para los visitantes:", "otra clave\r"],
  ]);
  expect([unset.code, unset.output]).toEqual([0, expect.stringContaining("El sitio pide ahora la contraseña.")]);
  expect((await look()).status()).toBe(401);
  expect((await tool("protect")).code).toBe(2);
  await page.goto(`/projects/${id}?tab=configuration`);
  await page.getByRole("button", { name: "Cambiar contraseña" }).click();
  await dialog.getByRole("button", { name: "Quitar contraseña" }).click();
  await expect(page.getByText("Cualquiera puede ver el sitio.")).toBeVisible();
  expect((await look()).status()).toBe(200);
  await page.goto(`/projects/${id}?tab=activity`);
  await expect(page.getByText(`La rama nueva de ${name} pide ahora una contraseña.`)).toBeVisible();
  await visitor.close();
  terminal.close();
});

test("without a browser by a code, and in CI by a token", async ({ page, customer, nido }) => {
  const name = `caja${Date.now() % 1e6}`;
  await customer.addProject(name, { recipe: "static_starter" });
  await customer.addProject(`${name}b`, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const login = terminal.start(["login"]);
  await expect.poll(() => /([B-Z]{4}-[B-Z]{4})\n/.exec(login.output())?.[1]).toBeTruthy();
  const code = /\n\s+([B-Z]{4}-[B-Z]{4})\n/.exec(login.output())?.[1] ?? "";
  await page.goto("/clilogin");
  await page.getByLabel("Código").fill("abc");
  await page.getByRole("button", { name: "Continuar" }).click();
  await expect(page.getByText("El código tiene ocho letras")).toBeVisible();
  await page.getByLabel("Código").fill(code.toLowerCase().replace("-", " "));
  await page.keyboard.press("Enter");
  await expect(page.getByText(code)).toBeVisible();
  await page.screenshot({ path: "../test-results/screens/cli-code.jpg", type: "jpeg", quality: 70 });
  await page.getByRole("button", { name: "Dar acceso", exact: true }).click();
  await expect(page).toHaveURL("/clisuccess");
  expect(await login.ended).toBe(0);

  terminal.write({ "public/index.html": "<title>CI</title>" });
  const which: [string, string] = ["Número o nombre:", "7\r"];
  expect(await terminal.converse("init", [which, ["nombre:", "\x03"]])).toMatchObject({ code: 1 });
  const asked = await terminal.converse("init", [
    which,
    ["nombre:", `${name}b\r`],
    ["¿Qué carpeta se publica? (public)", "\r"],
  ]);
  expect([asked.code, asked.output]).toEqual([0, expect.stringContaining(`${name}b se publica desde`)]);
  rmSync(join(terminal.work, "nido.json"));

  const { stdout: token } = await terminal.nido(["tokens", "create", "ci"]);
  const { stdout: scoped } = await terminal.nido(["tokens", "create", "one", "--project", `${name}b`]);
  await page.goto("/settings?tab=security");
  await expect(page.getByText(`${name}b`)).toBeVisible();
  const publishTo = (project: string) =>
    terminal.nido(["publish", "public", "--project", project], { CI: "true", NIDO_TOKEN: scoped });
  expect(await publishTo(name)).toMatchObject({ code: 1 });
  expect(await publishTo(`${name}b`)).toMatchObject({ code: 0 });
  await page.goto("/settings?tab=activity");
  const published = page.getByRole("listitem").filter({ hasText: "Se ha publicado una versión" });
  await expect(published).toHaveCount(1);
  await expect(published).toContainText("Con la clave «one»");

  expect(await terminal.nido(["logout"])).toMatchObject({ code: 0 });
  expect(await terminal.nido(["whoami"])).toMatchObject({ code: 3 });
  const ci = { CI: "true", NIDO_TOKEN: token };
  expect(await terminal.nido(["publish"], ci)).toMatchObject({ code: 4 });
  const first = await terminal.nido(["publish", "public", "--project", name, "--json"], ci);
  expect([first.code, JSON.parse(first.stdout)]).toEqual([0, expect.objectContaining({ added: ["index.html"] })]);
  expect(JSON.parse(first.stdout).comment).toMatch(/^\*\*Publicado en http.*\*\* \(.*\)\n\nhttp|Dirección/);
  const script = join(import.meta.dirname, "../../.github/actions/publish/publish.sh");
  const [outputs, summary] = [join(terminal.work, "outputs"), join(terminal.work, "summary")];
  const github = { RUNNER_TEMP: terminal.work, GITHUB_OUTPUT: outputs, GITHUB_STEP_SUMMARY: summary };
  const inputs = { NIDO_SERVER: nido.origin, PROJECT: name, FOLDER: "public", BRANCH: "pr-1" };
  const env = { PATH: process.env["PATH"], HOME: terminal.work, ...ci, ...github, ...inputs };
  await run("bash", [script], { cwd: terminal.work, env });
  expect(readFileSync(outputs, "utf8")).toMatch(
    /^url=http\S+pr-1--\S+\ndeploy-url=http\S+v--\S+\ncomment<<(end-\S+)\n\*\*[\s\S]+\n\1\n$/,
  );
  expect(readFileSync(summary, "utf8")).toContain("pr-1--");
  expect(await terminal.nido(["tokens", "list"], ci)).toMatchObject({ code: 1 });
  expect(await terminal.nido(["nonsense"], ci)).toMatchObject({ code: 2 });

  const denied = terminal.start(["login", "--device"]);
  await expect.poll(() => denied.output()).toMatch(/code=[B-Z]{4}-[B-Z]{4}/);
  await page.goto(/http\S+code=[B-Z-]+/.exec(denied.output())?.[0] ?? "");
  await page.getByRole("button", { name: "No dar acceso" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No se ha dado acceso");
  expect(await denied.ended).toBe(1);
  terminal.close();
});

test("a first publication asks for the login, the project and the folder, and builds the site", async ({
  page,
  customer,
  nido,
}) => {
  const name = `prisa${Date.now() % 1e6}`;
  await customer.addProject(name, { recipe: "static_starter" });
  await customer.addProject(`${name}b`, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const scripts = { build: "mkdir -p dist && echo '<title>Hecho</title>' > dist/index.html" };
  terminal.write({ "package.json": JSON.stringify({ scripts, devDependencies: { vite: "*" } }) });
  let shown = "";
  const conversation = terminal.converse(
    "publish --build",
    [
      ["Número o nombre:", "x\r"],
      ["Número o nombre:", `${name}b\r`],
      ["¿Qué carpeta se publica? (dist)", "\r"],
    ],
    (text) => (shown += text),
  );
  await expect.poll(() => shown).toMatch(/code=[B-Z]{4}-[B-Z]{4}/);
  await page.goto(/http\S+code=[B-Z-]+/.exec(shown)?.[0] ?? "");
  await page.getByRole("button", { name: "Dar acceso", exact: true }).click();
  const { code, output } = await conversation;
  expect([code, output]).toEqual([0, expect.stringContaining("Publicado")]);
  expect(shown).toContain("Vite");
  // What was typed is echoed once.
  expect(shown.split(`${name}b\r\n`)).toHaveLength(2);
  expect(shown).not.toContain(`${name}b${name}b`);
  const host = new URL(nido.origin.replace("localhost", `${name}b.localhost`)).host;
  const answer = await page.request.get(`${nido.origin}/`, { headers: { host } });
  expect(await answer.text()).toContain("Hecho");
  expect(readFileSync(join(terminal.work, "nido.json"), "utf8")).toContain(`"${name}b"`);

  terminal.write({ "package.json": JSON.stringify({ scripts: { build: "exit 3" }, devDependencies: { vite: "*" } }) });
  const failed = await terminal.nido(["publish", "--build"]);
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("npm run build")]);
  terminal.write({ "package.json": "{}" });
  const unknown = await terminal.nido(["publish", "--build"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("nido.json")]);
  terminal.close();
});

test("a customer is warned before the storage is full, in both languages, and not earlier", async ({
  page,
  customer,
  nido,
}) => {
  const name = `lleno${Date.now() % 1e6}`;
  const id = await customer.addProject(name, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  terminal.write({ "public/index.html": "<title>Lleno</title>" });
  const token = { CI: "true", NIDO_TOKEN: await customer.giveToken() };
  expect(await terminal.nido(["publish", "public", "--project", name], token)).toMatchObject({ code: 0 });
  terminal.close();

  const anyWarning = page.getByText(/incluidas las anteriores|earlier ones included/);
  for (const [lang, live, warning] of [
    ["es", "En línea", "Tus publicaciones, incluidas las anteriores, ocupan 4,1 GB de 5 GB."],
    ["en", "Live", "Your deploys, earlier ones included, use 4.1 GB of your 5 GB."],
  ] as const) {
    await customer.setStoredBytes(4e9);
    await page.goto(`/projects/${id}?lang=${lang}`);
    await expect(page.getByText(live, { exact: true })).toBeVisible();
    await expect(anyWarning).toHaveCount(0);
    // Both changes arrive on the open page.
    await customer.setStoredBytes(4.1e9);
    await expect(page.getByText(warning)).toBeVisible();
    await page.screenshot({ path: `../test-results/screens/low-storage-${lang}.jpg`, type: "jpeg", quality: 70 });
    await customer.setStoredBytes(4e9);
    await expect(anyWarning).toHaveCount(0);
  }
});
