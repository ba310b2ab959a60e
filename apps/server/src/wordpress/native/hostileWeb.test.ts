import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountOf, managerSocket } from "./names.ts";
import { userId } from "./unixAccounts.ts";
import { verbs } from "./verbs.ts";

// A web process that was taken over tries to become root through the site manager.
const messages = 10_000;
const reason = whyNotNative();
if (reason) console.log(`Skipped: a hostile web process, because ${reason}.`);

/** The unix user that plays the web process. */
const [, nobody = "", nogroup = ""] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
const account = { uid: Number(nobody), gid: Number(nogroup) };

describe.skipIf(reason)("a hostile web process", () => {
  let native: Awaited<ReturnType<typeof startNative>>;
  let dataDir = "";
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    native = await startNative((undo) => undos.unshift(undo), { user: "nobody", group: "nogroup", isQuiet: true });
    dataDir = native.env.DATA_DIR;
    mkdirSync(join(native.folder, "roots"), { mode: 0o700 });
    writeFileSync(join(native.folder, "roots/shadow"), "root:a-secret-hash\n", { mode: 0o600 });
  });
  afterAll(async () => {
    for (const undo of undos) await undo();
  });

  async function say(line: string | Buffer): Promise<string> {
    const socket = connect(managerSocket(native.runDir));
    await once(socket, "connect");
    socket.on("error", () => undefined);
    socket.end(line);
    return text(socket).then(
      (answer) => answer.trim(),
      () => "",
    );
  }

  /** Runs a script with the rights of the web process, in DATA_DIR. */
  function asWeb(script: string) {
    return execFileSync("sh", ["-ec", script], { ...account, cwd: dataDir, encoding: "utf8", stdio: "pipe" });
  }

  function desire(id: string, state: object) {
    asWeb(`mkdir -p desired && cat > desired/${id}.json <<'END'\n${JSON.stringify(state)}\nEND`);
  }

  const core = "6.8.1";
  const valid = () => ({
    recipe: "wordpress_starter",
    core,
    platform: join(dataDir, "wordpress/platform-0123456789ab"),
  });

  function makeCore() {
    asWeb(`mkdir -p wordpress/${core}/wordpress/wp-content/languages wordpress/platform-0123456789ab`);
  }

  test("cannot replace the folders that root works in", () => {
    for (const name of ["sites", "images", "snapshots"]) {
      expect(statSync(join(dataDir, name)).uid).toBe(0);
      expect(() => asWeb(`mv ${name} ${name}.old`)).toThrow();
      expect(() => asWeb(`touch ${name}/x`)).toThrow();
    }
  });

  test("learns nothing of root's files through links in its own folders", async () => {
    makeCore();
    const id = randomUUID();
    const secret = join(native.folder, "roots/shadow");
    asWeb(`mkdir -p desired && ln -sf ${secret} desired/${id}.json`);
    for (const verb of verbs) expect(await say(`${verb} ${id}`)).not.toContain("a-secret-hash");
    asWeb(`rm desired/${id}.json`);
    const prepared = "platform-0123456789ab-en.sql";
    desire(id, { ...valid(), prepared });
    asWeb(`ln -sf ${secret} wordpress/${core}/${prepared}`);
    expect(await say(`database ${id}`)).not.toContain("a-secret-hash");
    asWeb(`rm wordpress/${core}/${prepared}`);
    asWeb(`mkdir -p backups/${id} && ln -sf ${secret} backups/${id}/x.tar.gz`);
    desire(id, { ...valid(), backup: "x.tar.gz" });
    expect(await say(`restore ${id}`)).not.toMatch(/ok|a-secret-hash/);
    expect(await say(`remove ${id}`)).toBe("ok");
  });

  test("uses none of root's files through links, although their content is valid", async () => {
    makeCore();
    const id = randomUUID();
    const roots = join(native.folder, "roots");
    const prepared = "platform-0123456789ab-en.sql";
    writeFileSync(join(roots, "state.json"), JSON.stringify(valid()));
    writeFileSync(join(roots, "dump.sql"), "create table secrets (hash text);");
    mkdirSync(join(roots, "site/wp-content"), { recursive: true });
    mkdirSync(join(roots, "site/backup"));
    writeFileSync(join(roots, "site/backup/database.sql"), "select 1;");
    writeFileSync(join(roots, "site/site.json"), "{}");
    execFileSync("tar", [
      "-czf",
      join(roots, "x.tar.gz"),
      "-C",
      join(roots, "site"),
      "wp-content",
      "site.json",
      "backup",
    ]);
    // First as a link to root's file, then as a file of the web process with the same content.
    const tryBoth = async (name: string, path: string, command: string) => {
      asWeb(`mkdir -p $(dirname ${path}) && ln -sf ${join(roots, name)} ${path}`);
      const refused = await say(command);
      asWeb(`rm ${path}`);
      copyFileSync(join(roots, name), join(dataDir, path));
      chownSync(join(dataDir, path), account.uid, account.gid);
      return [refused === "ok", await say(command)];
    };
    expect(await tryBoth("state.json", `desired/${id}.json`, `database ${id}`)).toEqual([false, "ok"]);
    desire(id, { ...valid(), prepared });
    expect(await tryBoth("dump.sql", `wordpress/${core}/${prepared}`, `database ${id}`)).toEqual([false, "ok"]);
    asWeb(`rm wordpress/${core}/${prepared}`);
    desire(id, { ...valid(), backup: "x.tar.gz" });
    expect(await tryBoth("x.tar.gz", `backups/${id}/x.tar.gz`, `restore ${id}`)).toEqual([false, "ok"]);
    expect(await say(`remove ${id}`)).toBe("ok");
  });

  test("cannot change root's files with a backup that has links in place of folders", async () => {
    makeCore();
    const id = randomUUID();
    const victim = join(native.folder, "roots");
    const owners = () => [statSync(victim).uid, statSync(victim).mode, readdirSync(victim).join()];
    const before = owners();
    for (const links of [
      [],
      ["state", "mail", "tmp"],
      ["wp-content"],
      ["wp-content/plugins", "wp-content/languages", "wp-content/uploads"],
      ["backup", "site.json"],
    ]) {
      const made = links.map(
        (name) => `mkdir -p craft/$(dirname ${name}); rm -rf craft/${name}; ln -s ${victim} craft/${name}`,
      );
      asWeb(`rm -rf craft && mkdir -p craft/backup craft/wp-content && echo 'select 1;' > craft/backup/database.sql && echo '{}' > craft/site.json
        ${made.join("\n")}
        mkdir -p backups/${id} && tar -czf backups/${id}/x.tar.gz -C craft $(ls craft)`);
      desire(id, { ...valid(), backup: "x.tar.gz" });
      const answer = await say(`restore ${id}`);
      // Without links it is a valid backup, so the others are refused, or are harmless, because of theirs.
      if (links.length === 0) expect(answer).toBe("ok");
      await say(`files ${id}`);
      await say(`dump ${id}`);
      expect([links, ...owners()]).toEqual([links, ...before]);
    }
    asWeb(`rm -rf craft`);
    expect(await say(`remove ${id}`)).toBe("ok");
    expect(existsSync(join(victim, "shadow"))).toBe(true);
  });

  test("a link in place of the dump is not written through", async () => {
    makeCore();
    const id = randomUUID();
    desire(id, valid());
    expect(await say(`database ${id}`)).toBe("ok");
    expect(await say(`files ${id}`)).toBe("ok");
    expect(await say(`dump ${id}`)).toBe("ok");
    const target = join(native.folder, "roots/shadow");
    asWeb(`rm snapshots/${id}/backup/database.sql && ln -s ${target} snapshots/${id}/backup/database.sql`);
    expect(await say(`dump ${id}`)).toBe("ok");
    expect(readFileSync(target, "utf8")).toBe("root:a-secret-hash\n");
    expect(lstatSync(join(dataDir, `snapshots/${id}/backup/database.sql`)).isFile()).toBe(true);
    expect(await say(`remove ${id}`)).toBe("ok");
  });

  test(`the site manager survives ${messages} malformed messages from the web process's user`, async () => {
    const id = randomUUID();
    const options = JSON.stringify({ ...account, socket: managerSocket(native.runDir), messages, verbs, id });
    execFileSync(process.execPath, ["-e", fuzzer, options], { stdio: "inherit" });
    expect(await say("dance")).toBe("unknown command");
    expect(userId(accountOf(id))).toBeUndefined();
    expect(readdirSync(join(dataDir, "sites"))).toEqual([]);
  });
});

/** Gives up root, then sends random messages: bytes, and sequences of words that the manager knows. */
const fuzzer = `
  const { connect } = require("node:net");
  const { randomBytes } = require("node:crypto");
  const { uid, gid, socket, messages, verbs, id } = JSON.parse(process.argv[1]);
  process.setgroups([]); process.setgid(gid); process.setuid(uid);
  const words = [...verbs, id, "..", "/etc", " ", "\\n", "\\0", "$(id)", ";", "é", "-", "START"];
  const pick = () => words[Math.floor(Math.random() * words.length)];
  const message = () => {
    const kind = Math.random();
    if (kind < 0.2) return randomBytes(Math.floor(Math.random() * 200));
    return Array.from({ length: 1 + Math.floor(Math.random() * 4) }, pick).join(kind < 0.6 ? " " : "");
  };
  const send = () => new Promise((resolve) => {
    const line = connect(socket).on("error", resolve).on("close", resolve).on("data", () => undefined);
    line.end(message());
  });
  (async () => {
    for (let sent = 0; sent < messages; sent += 50) await Promise.all(Array.from({ length: 50 }, send));
  })();`;
