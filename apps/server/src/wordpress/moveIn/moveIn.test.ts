import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type MoveIn, moveInPartBytes, type SftpAccount } from "@nido/contract";
import { signIn } from "@nido/test-kit/app";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSftpAccount, whyNoSftpAccount } from "@nido/test-kit/sftpAccount";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findStaging } from "../queries.ts";
import { siteFolder } from "../siteFolder.ts";
import { findMoveIn } from "./moveInRows.ts";

if (whyNoSftpAccount) console.log(`Skipped: moving in by an SFTP account, because ${whyNoSftpAccount}.`);

/** Prints a dump as mysqldump writes it, with another prefix and another address. */
const dump = `
  require_once ABSPATH . 'wp-admin/includes/schema.php';
  global $wpdb;
  $other = fn($text) => strtr($text, array('anasite.localhost:3000' => 'floristeria.example', 'http://ana' => 'http://ana'));
  echo "-- MySQL dump 10.13; with 'quotes\\n/*!40101 SET NAMES utf8mb4 */;\\nLOCK TABLES x WRITE;\\n";
  echo str_replace('wp_', 'blog7_', wp_get_db_schema()), "\\n";
  echo "CREATE TABLE forum_posts (id int);\\nINSERT INTO forum_posts VALUES (1);\\n";
  foreach ($wpdb->get_col("SHOW TABLES LIKE 'wp\\\\_%'") as $table) {
    $rows = array();
    foreach ($wpdb->get_results("SELECT * FROM $table", ARRAY_N) as $row) {
      $row = array_map(fn($value) => null === $value ? 'NULL' : "'" . addcslashes(nido_other($value), "\\\\'\\0\\n\\r\\x1a") . "'", $row);
      $rows[] = '(' . implode(',', $row) . ')';
    }
    $name = preg_replace('/^wp_/', 'blog7_', $table);
    if ($rows) echo "INSERT INTO \`$name\` VALUES ", implode(',', $rows), ";\\n";
  }`;
/** Serialized values keep their lengths. */
const other = `
  function nido_other($value) {
    $swap = fn($text) => str_replace('http://anasite.localhost:3000', 'https://floristeria.example', $text);
    if (is_serialized($value)) {
      $value = unserialize($value);
      array_walk_recursive($value, function (&$each) use ($swap) { if (is_string($each)) $each = $swap($each); });
      return serialize($value);
    }
    return preg_replace('/^wp_(?=user_roles|capabilities|user_level|dashboard)/', 'blog7_', $swap($value));
  }`;

describe.each(testedRuntimes("moving in"))("another WordPress moves in on the %s runtime", (runtime) => {
  let sites: Sites;
  let ana: TestSite;
  let bea: TestSite;
  let headers: Record<string, string>;
  let jobs: ReturnType<typeof openSiteJobs>;
  const folder = mkdtempSync(join(tmpdir(), "nido-movein-"));
  const undos: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true })];
  const host = "staging--beasite.localhost:3000";

  beforeAll(async () => {
    const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
    const env = await settingsOf(runtime, whenDone);
    sites = await openSites(whenDone, { ...env, WORDPRESS_REQUEST_SECONDS: "120" });
    [ana, bea] = [await sites.open("anasite"), await sites.open("beasite")];
    headers = await signIn(sites.server, "beasite@example.com");
    jobs = openSiteJobs(sites, whenDone);
  });
  afterAll(async () => {
    const staging = bea && (await findStaging(sites.server.db, bea.id));
    for (const id of [ana?.id, bea?.id, staging?.id]) if (id) await sites.server.wordpress.runtime.remove(id);
    for (const undo of undos) await undo();
  });

  const call = (method: "GET" | "POST" | "PUT" | "DELETE", path = "", payload?: object | Buffer) =>
    sites.server.app.inject({
      method,
      url: `/api/projects/${bea.id}/move-in${path}`,
      headers: { ...headers, ...(payload instanceof Buffer && { "content-type": "application/octet-stream" }) },
      ...(payload && { payload }),
    });
  const uploaded = async () => ((await call("GET")).json() as MoveIn).upload;
  async function send(name: string, archive: Buffer) {
    expect((await call("POST", "", { name, size: archive.length, modified: 1 })).statusCode).toBe(200);
    for (let start = 0; start < archive.length; start += moveInPartBytes)
      expect((await call("PUT", `/${start}`, archive.subarray(start, start + moveInPartBytes))).statusCode).toBe(200);
    await jobs.work();
  }
  /** The latest two entries of the log. */
  async function logged() {
    const { entries } = (await sites.server.app.inject({ url: `/api/activity?project=${bea.id}`, headers })).json();
    const line = ({ kind, params }: { kind: string; params: { name?: string } }) => [kind, params.name ?? []].flat();
    return entries.slice(0, 2).map((entry: Parameters<typeof line>[0]) => line(entry).join(" "));
  }
  let programs = 0;
  async function run(site: TestSite, at: string, code: string, id?: string) {
    const load = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; wp_set_current_user(1);";
    const path = await site.addProgram(`p${programs++}.php`, `${load} ${code}`, id);
    return (await site.askAt(at, path)).text;
  }

  test("its archive is looked through, becomes the staging copy, and is pushed to the site", async () => {
    const own = "anasite.localhost:3000";
    await run(
      ana,
      own,
      `update_option('blogname', 'Floristería; "Ñandú" -- it\\'s /* ours */');
       update_option('probe', array('url' => home_url('/ñ'), 'deep' => array('a;b' => "l1\\nl2\\\\x")));
       for ($n = 0; $n < 120; $n++) wp_insert_post(array('post_title' => "Ramo $n", 'post_status' => 'publish',
         'post_content' => str_repeat("Texto; con 'comillas' y \\\\barras\\\\ #$n -- ", 60) . home_url("/p/$n")));
       file_put_contents(WP_CONTENT_DIR . '/uploads/flor.txt', 'flor');
       $user = get_user_by('id', 1); $user->display_name = 'Ana'; wp_update_user($user);`,
    );
    const text = await run(ana, own, `${other} ${dump}`);
    expect(text.includes("https://floristeria.example/p/7")).toBe(true);
    const archive = zipSync({
      "site/wp-content/uploads/flor.txt": Buffer.from("flor"),
      "site/wp-content/plugins/hola/hola.php": Buffer.from("<?php /* Plugin Name: Hola */"),
      "site/wp-content/plugins/wp-super-cache/x.php": Buffer.from("<?php"),
      "site/wp-content/object-cache.php": Buffer.from("<?php die('another host');"),
      "site/wp-content/uploads/evil.php": Buffer.from("<?php echo 1;"),
      "site/database.sql": Buffer.from(text),
    });
    await send("floristeria.zip", Buffer.from(archive));
    const { report, problem } = (await uploaded()) ?? {};
    expect([problem, report]).toEqual([
      undefined,
      expect.objectContaining({
        url: "https://floristeria.example",
        tables: 12,
        plugins: ["hola", "wp-super-cache"],
        needless: ["wp-super-cache"],
        left: ["object-cache.php"],
      }),
    ]);
    const before = (await bea.ask("/")).text;
    expect((await call("POST", "/start")).statusCode).toBe(202);
    expect((await call("POST", "/start")).json()).toMatchObject({ error: "error_site_busy" });
    await jobs.work();

    const home = await bea.askAt(host, "/");
    expect([home.status, home.headers["x-robots-tag"]]).toEqual([200, "noindex"]);
    expect(titleOf(home.text)).toContain("Floristería; ");
    expect(home.text.includes("floristeria.example")).toBe(false);
    expect((await bea.ask("/")).text === before).toBe(true);
    expect((await bea.askAt(host, "/wp-content/uploads/flor.txt")).text).toBe("flor");
    expect((await bea.askAt(host, "/wp-content/.nido-import.sql")).status).toBe(404);

    const staging = await findStaging(sites.server.db, bea.id);
    const digest = `global $wpdb;
      $own = parse_url(home_url(), PHP_URL_HOST) . ':3000';
      $rows = array();
      foreach (array('posts' => 'ID', 'postmeta' => 'meta_id', 'terms' => 'term_id', 'comments' => 'comment_ID', 'users' => 'ID') as $table => $key)
        foreach ($wpdb->get_results("SELECT * FROM {$wpdb->$table} ORDER BY $key", ARRAY_A) as $row) {
          unset($row['guid']);
          $rows[] = str_replace($own, 'HOST', wp_json_encode(array_map('maybe_unserialize', $row)));
        }
      $rows[] = str_replace($own, 'HOST', wp_json_encode(get_option('probe')));
      $rows[] = current_user_can('manage_options') ? 'administrator' : 'nobody';
      echo json_encode(array(count($rows), md5(implode($rows)), is_file(WP_CONTENT_DIR . '/object-cache.php'), file_exists(WP_CONTENT_DIR . '/.nido-import.sql')));`;
    const [mine, theirs] = [await run(ana, own, digest), await run(bea, host, digest, staging?.id)];
    expect(JSON.parse(theirs)).toEqual(JSON.parse(mine));
    expect(JSON.parse(mine)).toEqual([expect.any(Number), expect.any(String), false, false]);

    const push = {
      method: "POST",
      url: `/api/projects/${bea.id}/staging/push`,
      headers,
      payload: { parts: "all" },
    } as const;
    expect((await sites.server.app.inject(push)).statusCode).toBe(202);
    await jobs.work();
    expect(titleOf((await bea.ask("/")).text)).toContain("Floristería");
  });

  test("it is copied from its address by an application password, in pieces, with interruptions", async () => {
    const own = "anasite.localhost:3000";
    const plugin = await call("GET", "/plugin");
    const files = unzipSync(plugin.rawPayload);
    expect(Object.keys(files)).toEqual(["nido-move/nido-move.php", "nido-move/table-sql.php"]);
    const content = siteFolder(sites.folder, ana.id).content;
    await ana.addProgram("nido-move/nido-move.php", "");
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(content, "plugins", name), bytes);
    const password = await run(
      ana,
      own,
      `require_once ABSPATH . 'wp-admin/includes/plugin.php';
       activate_plugin('nido-move/nido-move.php');
       update_option('blogname', 'Otra floristería');
       for ($n = 0; $n < 250; $n++) add_post_meta(1, 'serie', "valor $n");
       echo WP_Application_Passwords::create_new_application_password(1, array('name' => 'Nido'))[0];`,
    );
    const user = await run(ana, own, "echo wp_get_current_user()->user_login;");
    const large = Buffer.alloc(9_500_001, "The quick brown fox. ");
    const name = `${"carpeta ñ ".repeat(12)}/grande.bin`;
    mkdirSync(join(content, "uploads", name, ".."), { recursive: true });
    writeFileSync(join(content, "uploads", name), large);
    mkdirSync(join(content, "cache"), { recursive: true });
    writeFileSync(join(content, "cache/page.html"), "kept by a plugin");
    // Older dumps among the files are not the dump, and links are followed, but not round in circles.
    writeFileSync(join(content, "uploads/old.sql"), "-- an old export\n".repeat(200_000));
    symlinkSync(join(content, "uploads"), join(content, "uploads/circle"));

    const isCutOff = vi.fn((index: number) => index === 3 || index === 6);
    const source = await openSource(ana, isCutOff);
    const given = { url: source.url, user, password };
    expect((await call("POST", "/source", { ...given, password: "wrong" })).json()).toMatchObject({
      error: "error_move_in_login",
    });
    expect((await call("POST", "/source", { ...given, url: `${source.url}/wp-admin/index.php` })).json()).toEqual({
      ok: true,
    });
    expect(await uploaded()).toMatchObject({ isCopying: true, name: new URL(source.url).host });
    expect((await logged())[0]).toBe(`moveInCopied ${new URL(source.url).host}`);
    const stored = JSON.stringify(await findMoveIn(sites.server.db, bea.id));
    expect([stored.includes(password), stored.includes(password.replaceAll(" ", ""))]).toEqual([false, false]);
    expect((await call("PUT", "/0", Buffer.from("x"))).json()).toMatchObject({ error: "error_move_in_part" });
    // Two of its answers are lost: each time, the next attempt goes on where this one ended.
    await expect(jobs.work()).rejects.toThrow();
    const { received = 0 } = (await uploaded()) ?? {};
    expect(received).toBeGreaterThan(0);
    await expect(jobs.work()).rejects.toThrow();
    expect((await uploaded())?.received).toBeGreaterThan(received);
    await jobs.work();
    expect(isCutOff.mock.calls.length).toBeGreaterThan(12);
    expect((await findMoveIn(sites.server.db, bea.id))?.source).toBeNull();
    await jobs.work();
    const { report, problem } = (await uploaded()) ?? {};
    expect(problem).toBeUndefined();
    expect(report).toMatchObject({ url: "http://anasite.localhost:3000", tables: 12 });
    expect(report?.plugins).not.toContain("nido-move");
    expect(report?.left).not.toContain("cache");

    expect((await call("POST", "/start")).statusCode).toBe(202);
    await jobs.work();
    const staging = await findStaging(sites.server.db, bea.id);
    const copied = join(siteFolder(sites.folder, staging?.id ?? "").content, "uploads", name);
    expect(readFileSync(copied).equals(large)).toBe(true);
    expect(titleOf((await bea.askAt(host, "/")).text)).toContain("Otra floristería");
    const rows = `global $wpdb; echo md5(serialize($wpdb->get_results("SELECT * FROM $wpdb->postmeta ORDER BY meta_id"))),
      md5(serialize($wpdb->get_results("SELECT user_login, user_pass, user_email FROM $wpdb->users"))),
      $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->postmeta WHERE meta_key = 'serie'");`;
    expect(await run(bea, host, rows, staging?.id)).toBe(await run(ana, own, rows));
  });

  test.runIf(!whyNoSftpAccount)("it is copied by an SFTP account, and nothing of ours stays there", async () => {
    await call("DELETE");
    const { content } = siteFolder(sites.folder, ana.id);
    const own = "anasite.localhost:3000";
    await run(ana, own, "update_option('blogname', 'Por SFTP'); wp_mkdir_p(WP_CONTENT_DIR . '/mu-plugins');");
    const home = mkdtempSync(join(folder, "home-"));
    // The account has another WordPress, which does not answer at that address.
    for (const path of ["htdocs/wp-content", "htdocs/wp-includes", "domains/ana/public_html/wp-includes"])
      mkdirSync(join(home, path), { recursive: true });
    symlinkSync(content, join(home, "domains/ana/public_html/wp-content"));
    const { account, stop } = await openSftpAccount(home, "luz", "flor y nata");
    undos.unshift(stop);
    const { url } = await openSource(ana, () => false);
    const copy = (sftp: SftpAccount) => call("POST", "/source", { url, sftp });

    expect((await copy({ ...account, password: "other" })).json()).toMatchObject({ error: "error_move_in_sftp_login" });
    expect((await copy({ ...account, port: 1 })).json()).toMatchObject({ error: "error_move_in_sftp" });
    const isThere = () => existsSync(join(content, "mu-plugins/nido-move.php"));
    expect(isThere()).toBe(false);
    expect((await copy(account)).json()).toEqual({ ok: true });
    expect(isThere()).toBe(true);
    expect(readdirSync(join(home, "htdocs/wp-content/mu-plugins"))).toEqual([]);
    expect(JSON.stringify(await findMoveIn(sites.server.db, bea.id))).not.toContain("flor y nata");
    const stranger = await ana.ask("/?rest_route=/nido-move/v1/site", { method: "POST" });
    expect(stranger.status).toBe(401);

    await jobs.work();
    expect(isThere()).toBe(false);
    expect(existsSync(join(content, "mu-plugins/nido-move"))).toBe(false);
    await jobs.work();
    const { report, problem } = (await uploaded()) ?? {};
    expect([problem, report]).toEqual([undefined, expect.objectContaining({ tables: 12 })]);
    expect((await call("POST", "/start")).statusCode).toBe(202);
    await jobs.work();
    expect(titleOf((await bea.askAt(host, "/")).text)).toContain("Por SFTP");
  });

  test("an address that is private, foreign or hostile is refused, and nothing is stored", async () => {
    await call("DELETE");
    const ask = async (url: string) =>
      (await call("POST", "/source", { url, user: "ana", password: "secret" })).json().error;
    const answer = (listener: RequestListener) => openServer(listener);
    const quiet = await answer((_request, response) => response.end("<html>"));
    expect(await ask(quiet)).toBe("error_move_in_plugin");
    expect(await ask(await answer((_request, response) => void response.writeHead(404).end()))).toBe(
      "error_move_in_plugin",
    );
    let stolen = 0;
    const thief = await answer((_request, response) => {
      stolen++;
      response.end();
    });
    const target = thief.replace("127.0.0.1", "localhost");
    const redirecting = await answer((_request, response) => void response.writeHead(301, { location: target }).end());
    expect(await ask(redirecting)).toBe("error_move_in_source");
    expect(stolen).toBe(0);
    const endless = await answer((_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(2 ** 20)));
      };
      response.on("drain", write);
      write();
    });
    expect(await ask(endless)).toBe("error_move_in_source");
    const upgrading = await answer((request) => {
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n");
    });
    expect(await ask(upgrading)).toBe("error_move_in_source");
    const huge = { tables: ["wp_posts"], is_network: false, bytes: 10 ** 15 };
    expect(await ask(await answer((_request, response) => void response.end(JSON.stringify(huge))))).toBe(
      "error_move_in_size",
    );
    for (const url of ["ftp://example.com", "https://ana:secret@example.com", "no address", "http://127.0.0.1:1"])
      expect([url, await ask(url)]).toEqual([url, "error_move_in_source"]);
    const { wordpress } = sites.server;
    vi.spyOn(wordpress, "mayAskPrivate", "get").mockReturnValue(false);
    for (const url of [quiet, quiet.replace("127.0.0.1", "localhost"), "http://[::1]/", "http://169.254.169.254/"])
      expect([url, await ask(url)]).toEqual([url, "error_move_in_source"]);
    vi.restoreAllMocks();
    expect(await uploaded()).toBeNull();

    // It says the same place for ever.
    const looping = await answer((request, response) => {
      const isSite = request.url?.includes("site");
      response.setHeader("x-move-next", "1").setHeader("x-move-bytes", isSite ? 57 : 1);
      response.end(isSite ? JSON.stringify({ ...huge, bytes: 10 }).padEnd(57) : "x");
    });
    expect((await call("POST", "/source", { url: looping, user: "ana", password: "secret" })).statusCode).toBe(200);
    await jobs.work(10);
    expect(await uploaded()).toMatchObject({ problem: "error_move_in_source" });
    expect(await findMoveIn(sites.server.db, bea.id)).toMatchObject({ source: null, parts: [] });
    expect((await call("DELETE")).statusCode).toBe(200);
  });

  /** A site at an address of its own, some of whose answers are cut off. */
  async function openSource(site: TestSite, isCutOff: (index: number) => boolean) {
    let index = 0;
    const url = await openServer(async (request, response) => {
      const isPiece = /table|files/.test(request.url ?? "");
      const body = await buffer(request);
      const { host: _, connection: __, ...headers } = request.headers;
      const answer = await site.ask(request.url ?? "", {
        method: "POST",
        headers: headers as Record<string, string>,
        body,
      });
      const { "transfer-encoding": ___, "content-length": ____, ...others } = answer.headers;
      response.writeHead(answer.status, others);
      response.end(isPiece && isCutOff(++index) ? answer.body.subarray(1) : answer.body);
    });
    return { url };
  }

  async function openServer(listener: RequestListener): Promise<string> {
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    undos.unshift(async () => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test("a file that cannot be used says why, and changes nothing", async () => {
    const archives = {
      error_move_in_archive: Buffer.from("not an archive at all"),
      error_move_in_content: Buffer.from(zipSync({ "readme.txt": Buffer.from("x") })),
      error_move_in_database: Buffer.from(zipSync({ "wp-content/index.php": Buffer.from("x") })),
    };
    for (const [problem, archive] of Object.entries(archives)) {
      await send("x.zip", archive);
      expect(await uploaded()).toMatchObject({ problem });
      expect((await call("POST", "/start")).json()).toMatchObject({ error: "error_move_in_not_found" });
    }
    expect((await call("POST", "", { name: "x.zip", size: 10 ** 12, modified: 1 })).json()).toMatchObject({
      error: "error_move_in_size",
    });
    expect((await call("POST", "", { name: "x.zip", size: 10, modified: 1 })).statusCode).toBe(200);
    for (const [start, bytes] of [
      [5, 5],
      [0, 11],
      [-1, 1],
    ] as const)
      expect((await call("PUT", `/${start}`, Buffer.alloc(bytes))).statusCode).toBeGreaterThanOrEqual(400);
    expect(await uploaded()).toMatchObject({ received: 0 });
    expect((await call("DELETE")).statusCode).toBe(200);
    expect(await uploaded()).toBeNull();
    expect(await logged()).toEqual(["moveInDiscarded", "moveInSent x.zip"]);
    const stranger = await signIn(sites.server, "anasite@example.com");
    const foreign = { url: `/api/projects/${bea.id}/move-in`, headers: stranger };
    expect((await sites.server.app.inject(foreign)).statusCode).toBe(404);
  });
});

function titleOf(page: string) {
  return /<title>([^<]*)/.exec(page)?.[1];
}
