import { execFile, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, type Nido, test } from "./nido.ts";

const run = promisify(execFile);

/** A terminal in an empty folder, with the tool installed from the server's own package and nothing else known. */
async function openTerminal(nido: Nido) {
  const folder = mkdtempSync(join(tmpdir(), "nido-terminal-"));
  const opened = join(folder, "opened");
  const browser = join(folder, "browser");
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > "${opened}"\n`);
  chmodSync(browser, 0o755);
  const work = join(folder, "work");
  mkdirSync(work);
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, `${nido.origin}/cli/nido.tgz`]);
  const program = join(folder, "node_modules/.bin/nido");
  const env = { PATH: process.env["PATH"], HOME: folder, LANG: "es_ES.UTF-8" };
  return {
    work,
    opened: () => readFileSync(opened, "utf8"),
    write: (files: Record<string, string>) => {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(work, path, ".."), { recursive: true });
        writeFileSync(join(work, path), text);
      }
    },
    /** Runs a command to its end; what it says goes by the name of its stream. */
    nido: async (args: string[], more: Record<string, string> = {}) => {
      const options = { cwd: work, env: { ...env, ...more } };
      const { stdout, stderr, code } = await run(program, args, options).then(
        (result) => ({ ...result, code: 0 }),
        (error) => error,
      );
      return { stdout: String(stdout).trim(), stderr: String(stderr), code };
    },
    /** Starts one that waits for a browser. */
    begin: (args: string[], more: Record<string, string> = {}) => {
      const child = spawn(program, args, { cwd: work, env: { ...env, ...more }, stdio: ["ignore", "pipe", "pipe"] });
      let said = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      return { said: () => said, ended };
    },
    /** Runs one at a keyboard, and types an answer to each question. */
    converse: async (command: string, answers: [question: string, answer: string][]) => {
      const child = spawn("script", ["-qefc", `${program} ${command}`, "/dev/null"], { cwd: work, env });
      let said = "";
      child.stdout.on("data", (chunk) => (said += chunk));
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      for (const [question, answer] of answers) {
        await expect.poll(() => said).toContain(question);
        said = "";
        child.stdin.write(answer);
      }
      return { code: await ended, said };
    },
    browser,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test("from an empty folder to a published site, and back", async ({ page, customer, nido }) => {
  test.setTimeout(180_000);
  const name = `folio${Date.now() % 1e6}`;
  const id = await customer.addProject(name, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const site = nido.origin.replace("localhost", `${name}.localhost`);
  const look = async () =>
    (await page.request.get(`${nido.origin}/`, { headers: { host: new URL(site).host } })).text();

  const refused = await terminal.nido(["publish"]);
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("nido login")]);
  const login = terminal.begin(["login"], { BROWSER: terminal.browser });
  await expect.poll(() => login.said()).toContain("/clilogin?port=");
  await page.goto(terminal.opened());
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("¿Dar acceso a la herramienta?");
  await page.screenshot({ path: "../test-results/screens/cli-leave.jpg", type: "jpeg", quality: 70 });
  await page.getByRole("button", { name: "Dar acceso", exact: true }).click();
  await expect(page).toHaveURL("/clisuccess");
  expect(await login.ended).toBe(0);
  expect(login.said()).toContain("Has entrado como");

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
  expect(await look()).toContain("Uno");
  const deploys = page.getByRole("listitem").filter({ hasText: "archivos" });
  await expect(deploys.filter({ hasText: "La primera" })).toContainText("En línea");

  terminal.write({ "dist/index.html": "<title>Dos</title>" });
  const second = await terminal.nido(["publish", "--json"]);
  expect(JSON.parse(second.stdout)).toMatchObject({ url: site, added: [], changed: ["index.html"], sent: 1 });
  expect(await look()).toContain("Dos");
  await expect(deploys).toHaveCount(2);

  await deploys.filter({ hasText: "La primera" }).getByRole("button").click();
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
  await expect.poll(() => terminal.opened()).toBe(site);

  terminal.write({ "dist/.env": "SECRET=1", "dist/server.key": "x" });
  const secrets = await terminal.nido(["publish"]);
  expect([secrets.code, secrets.stderr]).toEqual([1, expect.stringMatching(/\.env[\s\S]*server\.key/)]);
  terminal.close();
});

test("without a browser by a code, and in CI by a token", async ({ page, customer, nido }) => {
  test.setTimeout(120_000);
  const name = `caja${Date.now() % 1e6}`;
  await customer.addProject(name, { recipe: "static_starter" });
  await customer.addProject(`${name}b`, { recipe: "static_starter" });
  const terminal = await openTerminal(nido);
  const login = terminal.begin(["login"]);
  await expect.poll(() => /([B-Z]{4}-[B-Z]{4})\n/.exec(login.said())?.[1]).toBeTruthy();
  const code = /\n\s+([B-Z]{4}-[B-Z]{4})\n/.exec(login.said())?.[1] ?? "";
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
  expect([asked.code, asked.said]).toEqual([0, expect.stringContaining(`${name}b se publica desde`)]);
  rmSync(join(terminal.work, "nido.json"));

  const { stdout: token } = await terminal.nido(["tokens", "create", "ci"]);
  expect(await terminal.nido(["logout"])).toMatchObject({ code: 0 });
  expect(await terminal.nido(["whoami"])).toMatchObject({ code: 3 });
  const ci = { CI: "true", NIDO_TOKEN: token };
  expect(await terminal.nido(["publish"], ci)).toMatchObject({ code: 4 });
  const published = await terminal.nido(["publish", "public", "--project", name, "--json"], ci);
  expect([published.code, JSON.parse(published.stdout)]).toEqual([
    0,
    expect.objectContaining({ added: ["index.html"] }),
  ]);
  expect(await terminal.nido(["tokens", "list"], ci)).toMatchObject({ code: 1 });
  expect(await terminal.nido(["nonsense"], ci)).toMatchObject({ code: 2 });

  const denied = terminal.begin(["login", "--device"]);
  await expect.poll(() => denied.said()).toMatch(/code=[B-Z]{4}-[B-Z]{4}/);
  await page.goto(/http\S+code=[B-Z-]+/.exec(denied.said())?.[0] ?? "");
  await page.getByRole("button", { name: "No dar acceso" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No se ha dado acceso");
  expect(await denied.ended).toBe(1);
  terminal.close();
});
