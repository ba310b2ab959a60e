import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { NewPassword, SiteAccess } from "@nido/contract";
import { signIn } from "@nido/test-kit/app";
import { freePort } from "@nido/test-kit/freePort";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSftp } from "@nido/test-kit/sftp";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { whyNoSftp } from "../native/sftpCommand.ts";

const reason = whyNoSftp() ?? (existsSync("/usr/bin/sftp") ? undefined : "OpenSSH's client is missing");
if (reason) console.log(`Skipped: SFTP, because ${reason}.`);
const runtimes = reason ? [] : testedRuntimes("SFTP");
const run = promisify(execFile);

describe.skipIf(reason).each(runtimes)("OpenSSH's sftp and a site of the %s runtime", (runtime) => {
  let sites: Sites;
  let ana: TestSite;
  let bea: TestSite;
  let headers: Record<string, string>;
  let port: number;
  const folder = mkdtempSync(join(tmpdir(), "nido-sftp-"));
  const undos: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];

  beforeAll(async () => {
    const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
    const env = await settingsOf(runtime, whenDone);
    port = await freePort();
    const own = { ...env, SFTP_PORT: String(port) };
    sites = await openSites(whenDone, own);
    await openSftp(whenDone, sites, own);
    [ana, bea] = [await sites.open("anasite"), await sites.open("beasite")];
    headers = await signIn(sites.server, "anasite@example.com");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, "key")]);
    execFileSync("ssh-keygen", ["-q", "-t", "rsa", "-N", "", "-f", join(folder, "other")]);
  });
  afterAll(async () => {
    for (const site of [ana, bea]) if (site) await sites.server.wordpress.runtime.remove(site.id);
    for (const undo of undos) await undo();
  });
  beforeEach(() => sites.server.db.execute(sql`delete from attempts`));

  const call = (method: "GET" | "POST" | "DELETE", path = "", payload?: object, as = headers) =>
    sites.server.app.inject({
      method,
      url: `/api/projects/${ana.id}/access${path}`,
      headers: as,
      ...(payload && { payload }),
    });
  const access = async () => (await call("GET")).json() as SiteAccess;
  const addKey = (name = "key") =>
    call("POST", "/keys", { name: "Portátil", key: readFileSync(join(folder, `${name}.pub`), "utf8") });

  /** Runs commands of a batch; those after a minus may fail. */
  async function sftp(commands: string[], { user = "anasite", key = "key" } = {}) {
    writeFileSync(join(folder, "batch"), `${commands.join("\n")}\n`);
    const options = [
      "StrictHostKeyChecking=no",
      `UserKnownHostsFile=${folder}/known`,
      "IdentitiesOnly=yes",
      "BatchMode=no",
    ];
    const args = ["-q", "-b", join(folder, "batch"), "-i", join(folder, key), "-P", String(port)];
    const all = [...args, ...options.flatMap((option) => ["-o", option]), `${user}@127.0.0.1`];
    return run("sftp", all, { timeout: 300_000, cwd: folder }).then(
      ({ stdout, stderr }) => ({ output: stdout + stderr, code: 0 }),
      (error) => ({ output: String(error.stdout) + String(error.stderr), code: error.code as number }),
    );
  }

  test("a key opens the site's content: files are sent, read, changed and removed as the site's own", async () => {
    expect((await call("POST", "/keys", { name: "x", key: "nonsense" })).json()).toMatchObject({
      error: "error_access_key",
    });
    const secret = readFileSync(join(folder, "key"), "utf8");
    expect((await call("POST", "/keys", { name: "x", key: secret })).json()).toMatchObject({
      error: "error_access_key",
    });
    expect((await sftp(["pwd"])).code).not.toBe(0);
    expect((await addKey()).statusCode).toBe(200);
    const { keys, user, sftp: address } = await access();
    expect([keys[0]?.name, user]).toEqual(["Portátil", "anasite"]);
    const shown = execFileSync("ssh-keygen", ["-lf", join(folder, "key.pub")], { encoding: "utf8" });
    expect(shown).toContain(keys[0]?.fingerprint);

    writeFileSync(join(folder, "local.txt"), "desde sftp");
    const { output, code } = await sftp([
      "ls -1 /",
      "cd wp-content/uploads",
      `put ${folder}/local.txt a.txt`,
      "mkdir sub",
      "rename a.txt sub/b.txt",
      "chmod 644 sub/b.txt",
      `get sub/b.txt ${folder}/back.txt`,
      `put ${folder}/local.txt gone.txt`,
      "rm gone.txt",
    ]);
    expect([code, output]).toEqual([0, expect.stringContaining("/wp-content")]);
    expect(readFileSync(join(folder, "back.txt"), "utf8")).toBe("desde sftp");
    expect((await ana.ask("/wp-content/uploads/sub/b.txt")).text).toBe("desde sftp");
    const { uid } = statSync(join(ana.folder.content, "uploads/sub/b.txt"));
    expect(uid).toBe(statSync(join(ana.folder.content, "uploads")).uid);
    const known = execFileSync("ssh-keygen", ["-lf", join(folder, "known")], { encoding: "utf8" });
    expect(known).toContain(address?.fingerprint);
  });

  test("nothing outside the folder is read or written, whatever the path, link or name", async () => {
    await addKey();
    const secret = join(bea.folder.content, "uploads/secret.txt");
    writeFileSync(secret, "of another site");
    // Links that were there before, as from a restored backup.
    symlinkSync("/etc/hostname", join(ana.folder.content, "uploads/machine"));
    symlinkSync(bea.folder.content, join(ana.folder.content, "uploads/neighbour"));
    const targets = [
      "/etc/shadow",
      "/etc/hostname",
      "/proc/1/environ",
      "/proc/self/root/etc/hostname",
      "/root",
      secret,
      bea.folder.content,
      ana.folder.settings,
      "/var/lib",
      "/tmp",
      "/usr/bin/env",
      "/.lib",
      "/dev/mem",
      "/sys/kernel",
    ];
    const climbs = [
      "",
      "/..",
      "/wp-content/..",
      "/wp-content/../..",
      "/wp-content/uploads/../../..",
      "/./.",
      "//",
      "/wp-content//../",
      "/wp-content/uploads/machine",
      "/wp-content/uploads/neighbour",
      "/wp-content/uploads/neighbour/..",
    ];
    const odd = ["\\n", "\\0x", "%2e%2e", "....", "~", "$HOME", "*", "-rf", "\u202e", "ñ".repeat(80), "a".repeat(300)];
    const paths = [
      ...targets.flatMap((target) => climbs.map((climb) => climb + target)),
      ...odd.flatMap((name) => climbs.map((climb) => `${climb}/${name}`)),
    ];
    const quoted = (path: string) => `"${path.replaceAll('"', '\\"')}"`;
    const commands = paths.flatMap((path) => [
      `-get ${quoted(path)} ${folder}/stolen`,
      `-put ${folder}/key.pub ${quoted(path)}`,
      `-ls ${quoted(path)}`,
      `-rm ${quoted(path)}`,
    ]);
    expect(commands.length).toBeGreaterThan(1000);
    // Not /etc/passwd: tests of the native runtime add accounts to it meanwhile.
    const hashes = () => execFileSync("sha256sum", ["/etc/hostname", "/usr/bin/env", secret], { encoding: "utf8" });
    const before = hashes();
    const { output, code } = await sftp([...commands, `-symlink /etc/passwd /wp-content/uploads/link`]);
    expect(hashes()).toBe(before);
    expect([code, output.includes("root:x:")]).toEqual([0, false]);
    const stolen = existsSync(join(folder, "stolen")) ? readFileSync(join(folder, "stolen"), "utf8") : "";
    expect(stolen).not.toMatch(/of another site|root:x:|\$6\$/);
    expect(existsSync(join(ana.folder.content, "uploads/link"))).toBe(false);
    expect(readFileSync(secret, "utf8")).toBe("of another site");
  });

  test("other keys, other users, other services and ended access are refused", async () => {
    await addKey();
    expect((await sftp(["pwd"], { key: "other" })).code).not.toBe(0);
    for (const user of ["beasite", "nobody", "root", "../anasite"])
      expect((await sftp(["pwd"], { user })).code).not.toBe(0);
    const shell = run(
      "ssh",
      [
        "-q",
        "-i",
        join(folder, "key"),
        "-p",
        String(port),
        "-o",
        "StrictHostKeyChecking=no",
        "-o",
        `UserKnownHostsFile=${folder}/known`,
        "anasite@127.0.0.1",
        "id",
      ],
      { timeout: 10_000 },
    );
    await expect(shell).rejects.toBeDefined();
    const { keys } = await access();
    for (const { id } of keys) expect((await call("DELETE", `/keys/${id}`)).statusCode).toBe(200);
    expect((await sftp(["pwd"])).code).not.toBe(0);
    const stranger = await signIn(sites.server, "beasite@example.com");
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/password"],
    ] as const)
      expect((await call(method, path, undefined, stranger)).statusCode).toBe(404);
  });

  test("a password works for some hours, and guessing is limited", async () => {
    const made = (await call("POST", "/password")).json() as NewPassword;
    expect((await access()).password_until).toBe(made.until);
    const login = async (password: string) => {
      const script = join(folder, "askpass");
      writeFileSync(script, `#!/bin/sh\necho '${password}'\n`, { mode: 0o700 });
      const options = [
        "StrictHostKeyChecking=no",
        `UserKnownHostsFile=${folder}/known`,
        "PubkeyAuthentication=no",
        "NumberOfPasswordPrompts=1",
      ].flatMap((option) => ["-o", option]);
      const env = { ...process.env, SSH_ASKPASS: script, SSH_ASKPASS_REQUIRE: "force" };
      // Not as a batch: that would not ask for passwords.
      const running = run("sftp", ["-q", "-P", String(port), ...options, "anasite@127.0.0.1"], {
        env,
        timeout: 20_000,
      });
      running.child.stdin?.end("pwd\n");
      return running.then(
        ({ stdout }) => stdout.includes("Remote working directory: /"),
        () => false,
      );
    };
    expect(await login(made.password)).toBe(true);
    expect(await login("wrong")).toBe(false);
    const again = (await call("POST", "/password")).json() as NewPassword;
    expect([await login(made.password), await login(again.password)]).toEqual([false, true]);
    await sites.server.db.execute(
      sql`update site_access set expires_at = now() - interval '1 minute' where public_key is null`,
    );
    expect(await login(again.password)).toBe(false);
    const fresh = (await call("POST", "/password")).json() as NewPassword;
    await sites.server.db.execute(sql`insert into attempts (key, count, resets_at) values ('sftpLogin 127.0.0.1', 20, now() + interval '1 hour')
      on conflict (key) do update set count = 20`);
    expect(await login(fresh.password)).toBe(false);
    await sites.server.db.execute(sql`update sessions set proven_at = now() - interval '1 hour'`);
    expect((await call("POST", "/password")).json()).toMatchObject({ error: "error_proof_needed" });
  });
});
