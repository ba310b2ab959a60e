import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { settings, signIn, start } from "@nido/test-kit/product";
import { openSeed } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { describe, expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "../../../..");
const deploy = join(root, "deploy");
const run = promisify(execFile);

test.skipIf(!existsSync("/usr/bin/systemd-analyze"))("systemd-analyze verify accepts the units in deploy/", () => {
  const units = readdirSync(deploy).filter((name) => /\.(service|timer)$/.test(name));
  expect(units.length).toBeGreaterThanOrEqual(4);
  // It also complains about programs and users that only a server has; those lines are filtered out below.
  const output = execFileSync("bash", [
    "-c",
    'systemd-analyze verify "$@" 2>&1 || true',
    "-",
    ...units.map((unit) => join(deploy, unit)),
  ]);
  const faults = output
    .toString()
    .split("\n")
    .filter((line) => line.includes("deploy/") || /nido[\w-]*\.(service|timer):/.test(line))
    // systemd knows it from version 254 on; the guide asks for Debian 13, which has 257.
    .filter((line) => !line.includes("Unknown key 'DelegateSubgroup'"))
    .filter((line) => !/is not executable: No such file|Failed to (resolve|load)|not found/.test(line));
  expect(faults).toEqual([]);
});

const programs = globSync("/usr/lib/postgresql/*/bin").at(-1);
const reason =
  process.env["NIDO_TEST_OPERATING"] === undefined
    ? "it is a long proof: npm run test:long"
    : process.getuid?.() !== 0
      ? "it needs root"
      : programs === undefined
        ? "there is no PostgreSQL of Debian's"
        : undefined;
if (reason) console.log(`Skipped: a lost machine brought back, because ${reason}.`);

/** Starts Debian's PostgreSQL, as in the operator's guide, on a socket of its own. */
async function startPostgres() {
  const folder = mkdtempSync("/var/lib/nido-postgres-");
  execFileSync("chown", ["postgres:postgres", folder]);
  const idOf = (option: string) => Number(execFileSync("id", [option, "postgres"]).toString());
  const account = { uid: idOf("-u"), gid: idOf("-g"), stdio: "ignore" as const };
  execFileSync(join(programs ?? "", "initdb"), ["-D", join(folder, "data"), "-A", "trust"], account);
  const server = spawn(join(programs ?? "", "postgres"), ["-D", join(folder, "data"), "-k", folder, "-h", ""], account);
  onTestFinished(async () => {
    server.kill("SIGINT");
    await once(server, "close");
    rmSync(folder, { recursive: true, force: true });
  });
  const psql = (command: string) => run("psql", ["-h", folder, "-U", "postgres", "-c", command]);
  await eventually(() => psql("select 1"));
  return {
    create: async (name: string) => {
      await psql(`create database ${name}`);
      return `postgres://postgres@/${name}?host=${encodeURIComponent(folder)}`;
    },
  };
}

describe.skipIf(reason)("disaster recovery", () => {
  test("a new machine is restored from the backup of a lost one", async () => {
    const postgres = await startPostgres();
    const before = await settings();
    const first = { ...before.env, DATABASE_URL: await postgres.create("first") };
    const script = (name: string, env: Record<string, string>, ...args: string[]) =>
      run(process.execPath, [join(root, `scripts/${name}.ts`), ...args], {
        cwd: root,
        env: { ...process.env, ...env },
      });
    const product = await start({ env: first });
    const seed = await openSeed(first.DATABASE_URL, "demo@nido.example");
    onTestFinished(() => seed.close());
    await seed.makeWordPress("elblog");
    await seed.addProject("lafolio", { recipe: "static_starter" });
    const site = mkdtempSync(join(before.dataDir, "site-"));
    writeFileSync(join(site, "index.html"), "<h1>de antes</h1>");
    const cliEnv = { NIDO_SERVER: before.origin, NIDO_TOKEN: await seed.giveToken(), HOME: site };
    await run(process.execPath, [join(root, "apps/cli/dist/nido.cjs"), "publish", site, "--project", "lafolio"], {
      env: { ...process.env, ...cliEnv },
    });
    const here = (port: number, name: string) => ask(`127.0.0.1:${port}`, `${name}.localhost:${port}`, "/");
    expect((await here(before.port, "elblog")).status).toBe(200);

    await script("sites", first, "backup", "elblog");
    const target = join(before.dataDir, "..", "elsewhere");
    await script("backup", first, target);
    const found = await script("customers", first, "find", "elblog");
    expect(found.stdout).toMatch(/demo@nido\.example[\s\S]*elblog\s+active/);
    await script("customers", first, "suspend", "lafolio");
    await eventually(async () => expect((await here(before.port, "lafolio")).status).toBe(503));
    product.child.kill("SIGKILL");
    await once(product.child, "close");
    await expect(script("restore", first, target)).rejects.toThrow("The database is not empty");

    const after = await settings();
    const second = { ...after.env, DATABASE_URL: await postgres.create("second") };
    await script("restore", second, target);
    await start({ env: second });
    const restored = await script("sites", second, "restore-all");
    expect(restored.stdout).toContain("elblog is restored from");
    // The backup is older than the suspension, so the site is served.
    expect((await here(after.port, "lafolio")).text).toBe("<h1>de antes</h1>");
    const blog = await here(after.port, "elblog");
    expect(blog.status).toBe(200);
    expect(blog.text).toContain(`http://elblog.localhost:${after.port}/`);
    expect(await signIn(after.origin)).toContain("nido_session=");
  });
});
