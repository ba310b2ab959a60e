import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statfsSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findWordPress } from "../queries.ts";
import { siteOf } from "../WordPress.ts";
import { requestFastCgi } from "./fastcgi.ts";
import { accountOf, phpFolder, sitesGroup } from "./names.ts";
import { siteLimits } from "./siteLimits.ts";
import { groupId, userId } from "./unixAccounts.ts";

// A site that attacks the machine and its neighbour. Some attacks are made with more power than PHP gives a site, as if
// it had broken out of PHP: as the site's unix user, or by speaking to its PHP-FPM.
const rounds = Number(process.env["NIDO_TEST_ROUNDS"] ?? 150);
const reason = whyNotNative();
if (reason) console.log(`Skipped: a hostile site on the native runtime, because ${reason}.`);

/** renameat2 with RENAME_EXCHANGE: swaps two paths atomically, for ever. */
const exchange = "while (1) { syscall($ARGV[0], -100, $ARGV[1], -100, $ARGV[2], 2) }";
const renameat2 = process.arch === "arm64" ? "276" : "316";

describe.skipIf(reason)("a hostile site on the native runtime", () => {
  let native: Awaited<ReturnType<typeof startNative>>;
  let sites: Sites;
  let evil: TestSite;
  let neighbour: TestSite;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    native = await startNative((undo) => undos.unshift(undo));
    sites = await openSites((undo) => undos.unshift(undo), { ...native.env, WORDPRESS_REQUEST_SECONDS: "20" });
    [evil, neighbour] = await Promise.all([sites.open("evilsite"), sites.open("goodsite")]);
    await neighbour.ask("/");
  });
  afterAll(async () => {
    for (const site of [evil, neighbour]) if (site) await sites.server.wordpress.runtime.remove(site.id);
    for (const undo of undos) await undo();
  });

  async function run(code: string) {
    return evil.ask(await evil.addProgram(`probe/p${Math.random().toString(36).slice(2)}.php`, code));
  }

  /** Requests pages that PHP renders from the neighbour until `attack` is over, and at least `count` of them. */
  async function visitNeighbour(count: number, attack: Promise<unknown>) {
    const statuses: number[] = [];
    let isOver = false;
    void attack
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    while (!isOver || statuses.length < count)
      statuses.push((await neighbour.ask(`/?s=visit-${statuses.length}`)).status);
    await attack.catch(() => undefined);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    return statuses.length;
  }

  function swap(one: string, other: string): ChildProcess {
    const attacker = spawn("perl", ["-e", exchange, renameat2, one, other], { stdio: "ignore" });
    onTestFinished(() => void attacker.kill("SIGKILL"));
    return attacker;
  }

  test("swapping a file with a link to a secret never serves the secret", async () => {
    const uploads = join(evil.folder.content, "uploads");
    const secret = join(native.folder, "secret.txt");
    writeFileSync(secret, "a secret of the platform", { mode: 0o600 });
    writeFileSync(join(uploads, "photo.txt"), "public");
    symlinkSync(secret, join(uploads, "swapped.txt"));
    const attacker = swap(join(uploads, "photo.txt"), join(uploads, "swapped.txt"));
    const seen = new Map<string, number>();
    for (let n = 0; n < rounds; n++) {
      const { status, text } = await evil.ask("/wp-content/uploads/photo.txt");
      const answer = status === 200 ? text : String(status);
      seen.set(answer, (seen.get(answer) ?? 0) + 1);
    }
    attacker.kill("SIGKILL");
    expect([...seen.keys()].filter((answer) => answer !== "public" && answer !== "404")).toEqual([]);
    // Both answers were seen, so the attack did take place.
    expect([...seen.keys()].sort()).toEqual(["404", "public"]);
  });

  test("swapping a file with a FIFO stalls no request, and the neighbour's files are served", async () => {
    const uploads = join(evil.folder.content, "uploads");
    writeFileSync(join(uploads, "song.txt"), "public");
    writeFileSync(join(neighbour.folder.content, "uploads/own.txt"), "the neighbour's");
    execFileSync("mkfifo", [join(uploads, "pipe.txt")]);
    const attacker = swap(join(uploads, "song.txt"), join(uploads, "pipe.txt"));
    const statuses = new Set<number>();
    for (let n = 0; n < rounds; n++) {
      statuses.add((await evil.ask("/wp-content/uploads/song.txt")).status);
      expect((await neighbour.ask("/wp-content/uploads/own.txt")).text).toBe("the neighbour's");
    }
    attacker.kill("SIGKILL");
    expect([...statuses].sort()).toEqual([200, 404]);
  });

  test("a FIFO in place of a message or of the cron schedule stalls neither mail nor cron", async () => {
    execFileSync("mkfifo", [join(evil.folder.mail, "a.json"), join(evil.folder.state, "fifo")]);
    execFileSync("mv", ["-f", join(evil.folder.state, "fifo"), evil.folder.nextCron]);
    const { runCron } = await import("../upkeep/runCron.ts");
    const { sendMail } = await import("../upkeep/sendMail.ts");
    await sites.server.db.execute(sql`update wordpress_sites set mail_due_at = now(), next_cron_at = now()`);
    await runCron(sites.server.wordpress);
    await sendMail(sites.server.wordpress, { isFree: async () => true, smtpUrl: undefined, from: "a@example.com" });
  });

  test("a site cannot reach its own PHP-FPM, and has no FFI", async () => {
    const folder = phpFolder(native.runDir, evil.id);
    const sockets = readdirSync(folder).filter((name) => name.endsWith(".sock"));
    expect(sockets).toHaveLength(1);
    const probe = await run(
      `$out = [];
       foreach (['${folder}/${sockets[0]}', '${folder}/start/php.sock'] as $path) $out[] = (bool) @stream_socket_client("unix://$path");
       $out[] = @file_put_contents('${folder}/start/x', 'x');
       try { FFI::cdef('int system(const char *c);', 'libc.so.6'); $out[] = true; } catch (Throwable $e) { $out[] = false; }
       echo json_encode($out);`,
    );
    expect(JSON.parse(probe.text)).toEqual([false, false, false, false]);
  });

  test("a memory hog is ended by the kernel while the neighbour serves a hundred pages", async () => {
    const hog = await evil.addProgram(
      "probe/hog.php",
      "$a = []; for ($i = 0; $i < 1000; $i++) $a[] = str_repeat('x', 1 << 20); echo 'survived';",
    );
    // As if the site could set its own admin values.
    const folder = phpFolder(native.runDir, evil.id);
    const socket = join(folder, readdirSync(folder).find((name) => name.endsWith(".sock")) as string);
    const script = join(evil.folder.content, hog.replace("/wp-content/", ""));
    const params = {
      SCRIPT_FILENAME: script,
      REQUEST_METHOD: "GET",
      PHP_ADMIN_VALUE: "memory_limit=-1\ndisable_functions=",
    };
    const attack = async () => {
      for (let n = 0; n < 5; n++) {
        const answer = await requestFastCgi(socket, params, undefined, 20_000).then(
          ({ body }) => text(body),
          () => "ended",
        );
        expect(answer).not.toContain("survived");
      }
    };
    const attacking = attack();
    await visitNeighbour(100, attacking);
    await attacking;
    expect((await evil.ask("/wp-login.php")).status).toBe(200);
  });

  test("PHP that nobody waits for any longer is ended, although it may set its own time limit", async () => {
    const { wordpress, db } = sites.server;
    const row = await findWordPress(db, evil.id);
    const site = siteOf(wordpress, row as NonNullable<typeof row>);
    const path = await evil.addProgram(
      "probe/endless.php",
      "set_time_limit(0); ini_set('max_execution_time', '0'); ignore_user_abort(true); while (true);",
    );
    const script = { in: "content", path: path.replace("/wp-content/", "") } as const;
    const call = { method: "GET", url: path, headers: {}, visitor: "192.0.2.1", script, seconds: 2 };
    // As many as the site has PHP processes.
    const endless = Array.from({ length: siteLimits(site.recipe).children }, () =>
      wordpress.runtimeOf(site).answer(site, call),
    );
    for (const { status } of await Promise.allSettled(endless)) expect(status).toBe("rejected");
    await expect.poll(async () => (await evil.ask("/?s=after")).status, { timeout: 60_000 }).toBe(200);
  });

  test("a fork bomb stays within its share while the neighbour serves a hundred pages", async () => {
    const account = { uid: userId(accountOf(evil.id)) as number, gid: groupId(sitesGroup) };
    const groups = groupsOf(evil.id);
    expect(groups.length).toBeGreaterThan(0);
    const joining =
      'for f in "$@"; do echo $$ > "$f"; done; exec setpriv --reuid=$U --regid=$G --clear-groups perl -e "$S"';
    const bomb = spawn("sh", ["-c", joining, "sh", ...groups], {
      env: { ...process.env, U: String(account.uid), G: String(account.gid), S: "fork while 1" },
      stdio: "ignore",
    });
    onTestFinished(() => void bomb.kill("SIGKILL"));
    const attack = once(bomb, "exit");
    setTimeout(() => void sites.server.wordpress.runtime.stopSite(evil.id), 3000);
    await visitNeighbour(100, attack);
    const { tasks } = siteLimits("wordpress_starter").group;
    expect(processesOf(account.uid)).toBeLessThanOrEqual(tasks);
    await sites.server.wordpress.runtime.stopSite(evil.id);
    expect(processesOf(account.uid)).toBe(0);
    expect((await evil.ask("/wp-login.php")).status).toBe(200);
  });

  test("one site cannot take all database connections, nor keep a statement running", async () => {
    const { connections } = siteLimits("wordpress_starter").database;
    const connect = `mysqli_connect('localhost', '${accountOf(evil.id)}', '', '${accountOf(evil.id)}', 0, '${native.socket}')`;
    const attack = run(
      `mysqli_report(MYSQLI_REPORT_OFF); $all = [];
       for ($i = 0; $i < 300; $i++) { $c = @${connect}; if ($c) $all[] = $c; }
       sleep(3); echo count($all);`,
    );
    await visitNeighbour(20, attack);
    expect(Number((await attack).text)).toBeLessThanOrEqual(connections);
    const limit = await run(`echo mysqli_fetch_row(mysqli_query(${connect}, 'select @@max_statement_time'))[0];`);
    expect(Number(limit.text)).toBe(siteLimits("wordpress_starter").database.statementSeconds);
  });

  test("visitors who hold large request bodies open stop no POST of a neighbour", async () => {
    const { port } = sites.server.app.server.address() as AddressInfo;
    const headers = { host: "evilsite.localhost:3000", "content-length": 66_000_000 };
    const holding = Array.from({ length: 8 }, () => {
      const held = request({ port, method: "POST", path: "/", headers, agent: false });
      held.on("error", () => undefined);
      held.write(Buffer.alloc(60_000_000));
      onTestFinished(() => void held.destroy());
      return held;
    });
    const [refused] = await Promise.any(holding.map((held) => once(held, "response")));
    expect(refused.statusCode).toBe(429);
    const post = () => neighbour.ask("/?s=form", { form: { text: "x".repeat(500_000) } });
    const answers = await Promise.all(Array.from({ length: 10 }, post));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  });

  test("each site's folder is a disk of the plan's size, on which nothing can be executed", () => {
    const { bsize, blocks } = statfsSync(evil.folder.root);
    const { disk } = siteLimits("wordpress_starter");
    expect((bsize * blocks) / disk).toBeGreaterThan(0.98);
    expect((bsize * blocks) / disk).toBeLessThan(1.04);
    const options = execFileSync("findmnt", ["-no", "OPTIONS", evil.folder.root], { encoding: "utf8" });
    for (const option of ["nosuid", "nodev", "noexec"]) expect(options).toContain(option);
  });
});

function groupsOf(siteId: string): string[] {
  return execFileSync("find", ["/sys/fs/cgroup", "-path", `*/nido-sites/${siteId}/cgroup.procs`], { encoding: "utf8" })
    .split("\n")
    .filter(Boolean);
}

function processesOf(uid: number): number {
  return readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && ownerOf(pid) === uid).length;
}

function ownerOf(pid: string): number | undefined {
  return statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
}
