import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { brotliDecompressSync } from "node:zlib";
import { signIn } from "@nido/test-kit/app";
import { testLong } from "@nido/test-kit/long";
import { openSites, type Question, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { runCron } from "../../wordpress/upkeep/runCron.ts";

let sites: Sites;
let ana: TestSite;
let bea: TestSite;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sites = await openSites((undo) => undos.unshift(undo), { WORDPRESS_REQUEST_SECONDS: "25" });
  [ana, bea] = await Promise.all([sites.open("anasite"), sites.open("beasite")]);
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

/** Runs PHP code in the site, as a script of its own. */
async function run(site: TestSite, code: string) {
  const path = await site.addProgram(`probe/p${Math.random().toString(36).slice(2)}.php`, code);
  return site.ask(path);
}

describe("a site", () => {
  test("serves its pages in its language, and redirects wp-admin to the login page", async () => {
    const home = await ana.ask("/");
    expect([home.status, home.headers["content-type"]]).toEqual([200, "text/html; charset=UTF-8"]);
    expect(home.text).toMatch(/<html lang="es(-ES)?">/);
    const post = await ana.ask("/hola-mundo/");
    expect(post.text).toMatch(/<title>¡Hola,? mundo!/);
    expect((await ana.ask("/wp-admin/")).headers.location).toMatch(/^http:\/\/anasite\.localhost:3000\/wp-login\.php/);
    expect((await ana.ask("/wp-admin")).headers.location).toBe("/wp-admin/");
    expect((await ana.ask("/nothing-here/")).status).toBe(404);
  });

  test("serves files with Range, ETag and content type, and answers HEAD without a body", async () => {
    const path = "/wp-includes/css/dashicons.css?ver=1";
    const whole = await ana.ask(path);
    expect([whole.status, whole.headers["content-type"]]).toEqual([200, "text/css; charset=utf-8"]);
    const part = await ana.ask(path, { headers: { range: "bytes=10-19" } });
    expect([part.status, part.text]).toEqual([206, whole.text.slice(10, 20)]);
    const known = await ana.ask(path, { headers: { "if-none-match": String(whole.headers.etag) } });
    expect([known.status, known.body.length]).toEqual([304, 0]);
    const head = await ana.ask(path, { method: "HEAD" });
    expect([head.status, head.headers["content-length"], head.body.length]).toEqual([
      200,
      String(whole.body.length),
      0,
    ]);
    const compressed = await ana.ask(path, { headers: { "accept-encoding": "gzip, br" } });
    expect(compressed.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
    expect(brotliDecompressSync(compressed.body).toString()).toBe(whole.text);
    expect(compressed.headers.etag).not.toBe(whole.headers.etag);
    const inPart = await ana.ask(path, { headers: { "accept-encoding": "br", range: "bytes=10-19" } });
    expect([inPart.status, inPart.text]).toEqual([206, whole.text.slice(10, 20)]);
    const picture = await ana.ask("/wp-includes/images/media/archive.png", { headers: { "accept-encoding": "br" } });
    expect(picture.headers["content-encoding"]).toBeUndefined();
    const page = await ana.ask("/wp-login.php", { method: "HEAD" });
    expect([page.status, page.body.length]).toEqual([200, 0]);
  });

  test("never serves hidden files, uploaded PHP, internal scripts, symlinks or its database", async () => {
    const { content, root } = ana.folder;
    mkdirSync(join(content, "uploads/2026"), { recursive: true });
    writeFileSync(join(content, "uploads/2026/shell.php"), "<?php echo 'it-ran';");
    writeFileSync(join(content, "uploads/2026/shell.phtml"), "<?php echo 'it-ran';");
    writeFileSync(join(content, "uploads/.secret"), "the-secret");
    writeFileSync(join(content, "debug.log"), "the-secret");
    mkdirSync(join(content, "database"), { recursive: true });
    writeFileSync(join(content, "database/.ht.sqlite"), "the-secret");
    symlinkSync("/etc/passwd", join(content, "uploads/link.txt"));
    symlinkSync(root, join(content, "uploads/up"));
    for (const path of [
      "/wp-content/uploads/2026/shell.php",
      "/wp-content/uploads/2026/shell.php/x",
      "/wp-content/uploads/2026/shell.phtml",
      "/wp-content/uploads/%2e%2e/db.php",
      "/wp-content/uploads/.secret",
      "/wp-content/debug.log",
      "/wp-content/db.php",
      "/wp-content/database/.ht.sqlite",
      "/wp-content/database/",
      "/wp-content/uploads/link.txt",
      "/wp-content/uploads/up/site.json",
      "/wp-config.php",
      "/wp-load.php",
      "/wp-cron.php",
      "/wp-includes/version.php",
      "/wp-admin/install.php",
      "/.git/config",
      "/.well-known/acme-challenge/x",
      "/site.json",
      "/..%2f..%2fsite.json",
    ]) {
      const answer = await ana.ask(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.text).not.toMatch(/the-secret|it-ran|root:/);
    }
    expect((await ana.ask("/%zz")).status).toBe(400);
    expect(
      (await ana.ask("/wp-login.php", { method: "POST", headers: { "content-length": "99999999999" } })).status,
    ).toBe(413);
  });

  test("passes the visitor's address, host, form and cookies to PHP, and drops proxy and internal headers", async () => {
    const path = await ana.addProgram(
      "probe/echo.php",
      "echo json_encode([$_SERVER, $_POST, $_COOKIE, file_get_contents('php://input')]);",
    );
    const answer = await ana.ask(`${path}?a=1`, {
      form: { b: "ñ" },
      headers: {
        cookie: "c=3",
        "x-forwarded-for": "6.6.6.6",
        proxy: "http://evil",
        "x-nido-call": "e30",
        "accept-encoding": "identity",
      },
    });
    const [server, post, cookie] = JSON.parse(answer.text);
    expect(server).toMatchObject({
      REMOTE_ADDR: "127.0.0.1",
      HTTP_HOST: "anasite.localhost:3000",
      SERVER_NAME: "anasite.localhost",
      SERVER_PORT: "3000",
      REQUEST_METHOD: "POST",
      REQUEST_URI: `${path}?a=1`,
      SCRIPT_NAME: path,
      QUERY_STRING: "a=1",
    });
    expect([post, cookie]).toEqual([{ b: "ñ" }, { c: "3" }]);
    for (const name of ["HTTP_X_FORWARDED_FOR", "HTTP_PROXY", "HTTP_X_NIDO_CALL", "HTTP_ACCEPT_ENCODING", "HTTPS"])
      expect([name, server[name]]).toEqual([name, name === "HTTPS" ? "off" : undefined]);
  });

  test("sets host-only cookies: the Domain attribute is removed", async () => {
    const answer = await run(ana, "setcookie('a', '1', ['domain' => 'localhost', 'path' => '/']);");
    expect(answer.headers["set-cookie"]).toEqual(["a=1; path=/"]);
  });
});

test("PHP has the certificate authorities that it needs for HTTPS", async () => {
  const answer = await run(
    ana,
    `require '/wordpress/wp-load.php';
    add_filter('http_request_args', function ($args) { throw new Exception(file_get_contents($args['sslcertificates'])); });
    try { wp_remote_get('https://example.com/'); } catch (Exception $e) { $found = $e->getMessage(); }
    echo json_encode([substr_count($found, 'BEGIN CERTIFICATE') > 100, is_readable(ini_get('curl.cainfo')), is_readable(ini_get('openssl.cafile'))]);`,
  );
  expect(answer.text).toBe("[true,true,true]");
});

test("application passwords can be used on a local machine", async () => {
  const answer = await run(
    ana,
    "require '/wordpress/wp-load.php'; echo json_encode(wp_is_application_passwords_available());",
  );
  expect(answer.text).toBe("true");
});

test("WordPress knows that readable addresses work", async () => {
  const probe = "require '/wordpress/wp-load.php'; require ABSPATH . 'wp-admin/includes/misc.php';";
  const answer = await run(ana, `${probe} echo json_encode([got_url_rewrite(), got_mod_rewrite()]);`);
  expect(answer.text).toBe("[true,false]");
});

test("visitors get no list of user names unless the owner shows it", async () => {
  const lists = ["/wp-json/wp/v2/users", "/wp-json/wp/v2/users/1", "/?author=1", "/wp-sitemap-users-1.xml"];
  const statuses = () => Promise.all(lists.map(async (path) => (await ana.ask(path)).status));
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  expect((await ana.ask("/", { form: { author: "1" } })).status).toBe(404);
  await run(ana, "require '/wordpress/wp-load.php'; wp_set_current_user(1); update_option('nido_list_users', '1');");
  expect(await statuses()).toEqual([200, 200, 301, 200]);
});

describe("the page cache", () => {
  test("compresses and revalidates pages, and is bypassed for other cookies, queries and Authorization", async () => {
    await bea.ask("/");
    const kept = await bea.ask("/", { headers: { "accept-encoding": "br", cookie: "_ga=1" } });
    expect([kept.headers["x-cache"], kept.headers["content-encoding"]]).toEqual(["hit", "br"]);
    expect(brotliDecompressSync(kept.body).toString()).toContain("</html>");
    const again = await bea.ask("/?utm_source=x", { headers: { "if-none-match": String(kept.headers.etag) } });
    expect([again.status, again.headers["x-cache"]]).toEqual([304, "hit"]);
    const personal: { path: string; headers?: Record<string, string> }[] = [
      { path: "/?s=hola" },
      { path: "/", headers: { cookie: "wordpress_logged_in_x=1" } },
      { path: "/", headers: { cookie: "anything=1" } },
      { path: "/", headers: { authorization: "Basic eA==" } },
      { path: "/wp-json/" },
    ];
    for (const question of personal) {
      const answer = await bea.ask(question.path, question);
      expect([question, answer.headers["x-cache"]]).toEqual([question, "pass"]);
    }
  });

  test("is invalidated when a post is published, and then filled again", async () => {
    const publish = (title: string) =>
      run(
        bea,
        `require '/wordpress/wp-load.php'; wp_insert_post(['post_title' => '${title}', 'post_status' => 'publish']); echo 'ok';`,
      );
    expect((await bea.ask("/")).headers["x-cache"]).toBe("hit");
    expect((await publish("Novedad")).text).toBe("ok");
    const answers = await Promise.all(Array.from({ length: 10 }, () => bea.ask("/")));
    for (const answer of answers) expect(answer.text).toContain("Novedad");
    expect((await bea.ask("/")).headers["x-cache"]).toBe("hit");
  });

  test("is invalidated by every write that a visitor might see, and by no other", async () => {
    const write = (code: string, user = 1) =>
      run(bea, `require '/wordpress/wp-load.php'; wp_set_current_user(${user}); ${code} echo 'ok';`);
    const cacheStatus = async () => (await bea.ask("/")).headers["x-cache"];
    await write("global $wpdb; $wpdb->query('CREATE TABLE prices (id INTEGER PRIMARY KEY, price INTEGER)');");
    const seen = [
      "update_option('comment_registration', 1);",
      "update_option('rss_use_excerpt', 1);",
      "add_option('bakery_settings', ['open' => 8]);",
      "delete_option('bakery_settings');",
      "add_post_meta(1, 'price', '3');",
      "wp_set_object_terms(1, 'bread', 'post_tag');",
      "update_user_meta(1, 'description', 'Bakes');",
      "global $wpdb; $wpdb->insert('prices', ['price' => 3]);",
      "global $wpdb; $wpdb->query('/* shop */ UPDATE prices SET price = 4');",
      "register_post_type('form', ['public' => false]); wp_insert_post(['post_type' => 'form', 'post_status' => 'publish', 'post_title' => 'Contact']);",
    ];
    const unseen = [
      "set_transient('cached', 1, 60);",
      "wp_schedule_single_event(time() + 900, 'bake');",
      "delete_expired_transients(true);",
      "wp_set_auth_cookie(1);",
      "update_post_meta(1, '_edit_lock', time() . ':1');",
      "wp_insert_post(['post_title' => 'Draft', 'post_status' => 'draft', 'meta_input' => ['price' => 2]]);",
    ];
    for (const [code, expected] of [...seen.map((each) => [each, "miss"]), ...unseen.map((each) => [each, "hit"])]) {
      await cacheStatus();
      expect([code, await cacheStatus()]).toEqual([code, "hit"]);
      expect([code, (await write(String(code))).text]).toEqual([code, "ok"]);
      expect([code, await cacheStatus()]).toEqual([code, expected]);
    }
    // Visitors cannot keep the cache empty: their requests end pages once a minute.
    await write("update_option('blogname', 'Now');");
    await cacheStatus();
    await write("update_option('counter', rand());", 0);
    expect(await cacheStatus()).toBe("hit");

    // What came sooner is not forgotten: WP-Cron is due within the minute, and ends them.
    expect(Number(readFileSync(bea.folder.nextCron, "utf8"))).toBeLessThanOrEqual(Date.now() / 1000 + 60);
    const longAgo = new Date(Date.now() - 120_000);
    utimesSync(bea.folder.pages, longAgo, longAgo);
    await bea.ask("/wp-login.php"); // reports the other time of the file
    await cacheStatus();
    expect(await cacheStatus()).toBe("hit");
    const { db, wordpress } = sites.server;
    await db.execute(sql`update wordpress_sites set next_cron_at = now()`);
    await runCron(wordpress);
    expect(await cacheStatus()).toBe("miss");
    expect(Number(readFileSync(bea.folder.nextCron, "utf8"))).toBeGreaterThan(Date.now() / 1000);
  });

  test("is not invalidated by a plugin that counts page views", async () => {
    const plugin = join(bea.folder.content, "mu-plugins/counter.php");
    mkdirSync(join(bea.folder.content, "mu-plugins"), { recursive: true });
    writeFileSync(
      plugin,
      "<?php add_action('wp_footer', fn() => update_option('views', get_option('views', 0) + 1) && add_post_meta(1, 'view', 1));",
    );
    expect((await bea.ask("/hola-mundo/")).headers["x-cache"]).toBe("miss");
    expect((await bea.ask("/hola-mundo/")).headers["x-cache"]).toBe("hit");
    rmSync(plugin);
  });

  test("respects q-values, several ETags, and If-Modified-Since of feeds", async () => {
    await bea.ask("/");
    const encodingFor = async (accepted: string) =>
      (await bea.ask("/", { headers: { "accept-encoding": accepted } })).headers["content-encoding"];
    expect(await encodingFor("br;q=0, gzip")).toBe("gzip");
    expect(await encodingFor("br;q=0.5, gzip")).toBe("gzip");
    expect(await encodingFor("br;q=0, gzip;q=0")).toBeUndefined();
    const { etag } = (await bea.ask("/")).headers;
    expect((await bea.ask("/", { headers: { "if-none-match": `"other", ${etag}` } })).status).toBe(304);
    for (const freshly of [true, false]) {
      const { headers } = await bea.ask("/feed/");
      const since = String(headers["last-modified"]);
      expect([freshly, (await bea.ask("/feed/", { headers: { "if-modified-since": since } })).status]).toEqual([
        freshly,
        304,
      ]);
      const long = new Date(0).toUTCString();
      expect((await bea.ask("/feed/", { headers: { "if-modified-since": long } })).status).toBe(200);
    }
  });

  test("half a page, sent before PHP failed, is not kept", async () => {
    await ana.ask("/hola-mundo/");
    const plugin = join(ana.folder.content, "mu-plugins/half.php");
    mkdirSync(join(ana.folder.content, "mu-plugins"), { recursive: true });
    writeFileSync(
      plugin,
      `<?php add_action( 'wp_footer', function () {
        if ( get_option( 'half' ) ) { echo str_repeat( 'x', 100000 ); flush(); function_that_does_not_exist(); }
      } );`,
    );
    const turn = (isOn: number) =>
      run(
        ana,
        `require '/wordpress/wp-load.php'; wp_set_current_user(1); update_option('half', ${isOn}); echo 'done';`,
      );
    expect((await turn(1)).text).toBe("done");
    const seen = await ana.ask("/hola-mundo/");
    expect([seen.headers["x-cache"], seen.text.includes("</html>")]).toEqual(["stale", true]);
    const year = `/${new Date().getFullYear()}/`;
    for (const _ of [1, 2]) {
      const half = await ana.ask(year);
      expect([half.text.includes("xxx"), half.text.includes("</html>")]).toEqual([true, false]);
      expect([half.status, half.headers["x-cache"]]).toEqual([500, "pass"]);
    }
    rmSync(plugin);
    await expect.poll(async () => (await ana.ask(year)).status, { timeout: 10_000 }).toBe(200);
  });

  test("serves the last good page as stale while the site is broken", async () => {
    const change = await run(
      bea,
      "require '/wordpress/wp-load.php'; wp_set_current_user(1); update_option('blogname', 'Nuevo');",
    );
    expect(change.status).toBe(200);
    const plugin = join(bea.folder.content, "mu-plugins/broken.php");
    mkdirSync(join(bea.folder.content, "mu-plugins"), { recursive: true });
    writeFileSync(plugin, "<?php function_that_does_not_exist();");
    const answer = await bea.ask("/");
    expect([answer.status, answer.headers["x-cache"]]).toEqual([200, "stale"]);
    expect((await bea.ask("/never-seen/")).status).toBe(500);
    rmSync(plugin);
    expect((await bea.ask("/")).text).toContain("Nuevo");
  });
});

describe("isolation", () => {
  test("PHP reads only its own site's files, cannot change WordPress core, and cannot start programs", async () => {
    const secret = "the-secret-of-bea";
    writeFileSync(join(bea.folder.content, "uploads/secret.txt"), secret);
    const ownSettings = JSON.parse(readFileSync(ana.folder.settings, "utf8"));
    const targets = [
      join(bea.folder.content, "uploads/secret.txt"),
      `/site/../../${bea.id}/wp-content/uploads/secret.txt`,
      `/site/wp-content/../../../${bea.id}/wp-content/uploads/secret.txt`,
      join(bea.folder.database, "wordpress.sqlite"),
      `/site/database/../../${bea.id}/database/wordpress.sqlite`,
      "/etc/passwd",
      "/proc/self/environ",
      "/proc/1/environ",
      "/site/wp-content/uploads/link.txt",
      "/site/wp-content/uploads/up/site.json",
    ];
    const probe = await run(
      ana,
      `$out = [];
       foreach (json_decode('${JSON.stringify(targets)}') as $t) $out[$t] = @file_get_contents($t);
       $out['env'] = getenv(); $out['root'] = scandir('/'); $out['site'] = scandir('/site');
       $out['core'] = [@file_put_contents('/wordpress/x', 'x'), @unlink('/wordpress/index.php'), @rename('/nido', '/n'), @mkdir('/nido/x'), @chmod('/wordpress/index.php', 0777), @touch('/nido/plugin.php')];
       $out['functions'] = array_map('function_exists', ['exec', 'shell_exec', 'system', 'passthru', 'popen', 'proc_open', 'symlink', 'link', 'dl', 'stream_socket_server']);
       echo json_encode($out);`,
    );
    const { env, root, site, core, functions, ...files } = JSON.parse(probe.text);
    expect(Object.values(files)).toEqual(targets.map(() => false));
    expect(JSON.stringify(env)).not.toMatch(/nido|postgres|DATA_DIR|var.lib|threads/i);
    expect(root).toEqual([
      ".",
      "..",
      "dev",
      "etc",
      "home",
      "internal",
      "nido",
      "proc",
      "request",
      "site",
      "sqlite",
      "tmp",
      "wordpress",
      "wp-cli",
      "wp-config.php",
    ]);
    expect(site).toEqual([".", "..", "database", "mail", "site.json", "state", "wp-content"]);
    expect(core).toEqual([false, false, false, false, false, false]);
    expect(new Set(functions)).toEqual(new Set([false]));
    expect(probe.text).not.toContain(secret);
    expect(JSON.parse(readFileSync(ana.folder.settings, "utf8"))).toEqual(ownSettings);
  });

  test("PHP cannot connect to this machine or to private networks", async () => {
    const inner = createServer((_request, response) => response.end("the-inner-secret")).listen(0, "0.0.0.0");
    await once(inner, "listening");
    const { port } = inner.address() as AddressInfo;
    const postgres = new URL(inject("postgresUrl").replace("@/", "@x/")).searchParams.get("host");
    const hosts = ["127.0.0.1", "localhost", "0.0.0.0", "169.254.169.254", "10.0.0.1", "[::1]", "2130706433"];
    const probe = await run(
      ana,
      `$out = [];
       foreach (json_decode('${JSON.stringify(hosts)}') as $h) {
         $out[$h] = @file_get_contents("http://$h:${port}/", false, stream_context_create(['http' => ['timeout' => 0.3]]));
       }
       $out['postgres'] = @stream_socket_client('unix://${postgres}/.s.PGSQL.5432') !== false;
       echo json_encode($out);`,
    );
    inner.close();
    expect(existsSync(`${postgres}/.s.PGSQL.5432`)).toBe(true);
    expect(JSON.parse(probe.text)).toEqual(Object.fromEntries([...hosts, "postgres"].map((name) => [name, false])));
  });

  test("an Imagick delegate in PHP cannot start a process on this machine", async () => {
    const file = join(ana.folder.content, "uploads/ran");
    const probe = await run(
      ana,
      `file_put_contents('/tmp/delegates.xml', '<delegatemap><delegate decode="zzz" command="touch ${file}"/></delegatemap>');
       file_put_contents('/tmp/a.zzz', 'x');
       if (function_exists('putenv')) putenv('MAGICK_CONFIGURE_PATH=/tmp');
       try { if (class_exists('Imagick')) (new Imagick)->readImage('zzz:/tmp/a.zzz'); } catch (Throwable $e) {}
       echo 'tried';`,
    );
    expect(probe.text === "tried" || probe.status >= 500).toBe(true);
    expect(existsSync(file)).toBe(false);
    expect((await ana.ask("/wp-login.php")).status).toBe(200);
  });

  test("a false Content-Length and an invalid status or header from PHP do not affect other sites", async () => {
    const smuggle = await run(
      ana,
      "header('Content-Length: 2'); echo 'ok'; flush(); usleep(200000); echo \"HTTP/1.1 200 OK\\r\\nContent-Length: 6\\r\\n\\r\\nPOISON\";",
    );
    expect([smuggle.headers["content-length"], smuggle.text.includes("POISON")]).toEqual([undefined, true]);
    for (const code of ["http_response_code(1000);", "header('Bad Name: x');", "header('X-Price: 10€'); echo 'ok';"]) {
      await run(ana, code);
      const answer = await bea.ask("/wp-login.php");
      expect([code, answer.status, answer.text.includes("POISON")]).toEqual([code, 200, false]);
    }
  });

  test("an endless loop or memory exhaustion in one site ends there, and its neighbour keeps answering", async () => {
    await bea.ask("/wp-login.php"); // PHP may have to start
    let isOver = false;
    const loop = run(ana, "while (true) {}").finally(() => {
      isOver = true;
    });
    expect((await bea.ask("/wp-login.php")).status).toBe(200);
    expect(isOver).toBe(false);
    expect((await loop).status).toBe(503);

    const hunger = run(ana, "ini_set('memory_limit', '-1'); $a = []; while (true) $a[] = str_repeat('x', 1 << 24);");
    expect((await bea.ask("/wp-login.php")).status).toBe(200);
    expect((await hunger).status).toBe(500);
    expect((await ana.ask("/wp-login.php")).status).toBe(200);
  });
});

testLong("two hundred concurrent writes leave the SQLite database intact", async () => {
  const path = await ana.addProgram(
    "probe/write.php",
    "require '/wordpress/wp-load.php'; add_option('write_' . $_GET['n'], 'x'); echo get_option('write_' . $_GET['n']);",
  );
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => ana.ask(`${path}?n=${n}`)));
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set(["x"]));
  await sites.server.wordpress.runtime.stopSite(ana.id);
  const database = new DatabaseSync(join(ana.folder.database, "wordpress.sqlite"), { readOnly: true });
  expect(database.prepare("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  const { count } = database
    .prepare("select count(*) as count from wp_options where option_name like 'write_%'")
    .get() as { count: number };
  expect(count).toBe(200);
  database.close();
});

describe("one-click sign-in", () => {
  const tokenFor = async (site: TestSite) => {
    const headers = await signIn(sites.server, site === ana ? "anasite@example.com" : "beasite@example.com");
    const response = await sites.server.app.inject({ url: `/api/vault/${site.id}/sso`, headers });
    expect(response.statusCode).toBe(200);
    return response.json<{ token: string }>().token;
  };

  test("opens wp-admin or the media page, with a token that works once", async () => {
    const token = await tokenFor(ana);
    const first = await ana.ask("/nido-sso", { form: { token } });
    expect([first.status, first.headers.location]).toEqual([303, "http://anasite.localhost:3000/wp-admin/"]);
    expect(first.headers["cache-control"]).toContain("no-store");
    const cookie = first.headers["set-cookie"]?.map((line) => line.split(";")[0]).join("; ") ?? "";
    const admin = await ana.ask("/wp-admin/", { headers: { cookie } });
    expect([admin.status, admin.text.includes("lucia")]).toEqual([200, true]);
    const again = await ana.ask("/nido-sso", { form: { token } });
    expect([again.status, again.headers["set-cookie"]]).toEqual([403, undefined]);
    const media = await ana.ask("/nido-sso", { form: { token: await tokenFor(ana), media: "1" } });
    expect(media.headers.location).toBe("http://anasite.localhost:3000/wp-admin/media-new.php");
  });

  test("refuses an expired, foreign or malformed token, and does not use up a valid one", async () => {
    const token = await tokenFor(ana);
    const expired = await tokenFor(ana);
    await sites.server.db.execute(
      sql`update sso_tokens set expires_at = now() where token_hash = sha256(${expired}::bytea)`,
    );
    const refused: [TestSite, Question, number][] = [
      [ana, { method: "GET" }, 405],
      [bea, { form: { token } }, 403],
      [ana, { form: { token: expired } }, 403],
      [ana, { form: { "token[]": token } }, 403],
      [ana, { form: {} }, 403],
      [ana, { form: { token: "x".repeat(9000) } }, 403],
      [ana, { body: JSON.stringify({ token }), headers: { "content-type": "application/json" } }, 403],
    ];
    for (const [site, question, status] of refused) {
      const answer = await site.ask(`/nido-sso?token=${token}`, question);
      expect([question, answer.status, answer.headers["set-cookie"]]).toEqual([question, status, undefined]);
    }
    const header = await ana.ask("/", { headers: { "x-nido-sign-in": "lucia", NIDO_SIGN_IN: "lucia" } });
    expect([header.status, header.headers["set-cookie"]]).toEqual([200, undefined]);
    expect((await ana.ask("/nido-sso", { form: { token } })).status).toBe(303);
  });

  test("accepts one of fifty concurrent requests with the same token", async () => {
    const token = await tokenFor(bea);
    const answers = await Promise.all(Array.from({ length: 50 }, () => bea.ask("/nido-sso", { form: { token } })));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(answers.filter(({ headers }) => headers["set-cookie"])).toHaveLength(1);
  });

  test("issues a token only to the owner of the site", async () => {
    const { app } = sites.server;
    const stranger = await signIn(sites.server, "beasite@example.com");
    for (const id of [ana.id, crypto.randomUUID(), "x"]) {
      const response = await app.inject({ url: `/api/vault/${id}/sso`, headers: stranger });
      expect([response.statusCode, response.json()]).toEqual([404, { error: "error_project_not_found" }]);
    }
    const response = await app.inject({ url: `/api/vault/${ana.id}/sso`, headers: { host: "localhost:3000" } });
    expect(response.statusCode).toBe(401);
  });
});

test("wp_mail writes each message to the site's mail folder", async () => {
  const { mail } = ana.folder;
  const answer = await run(
    ana,
    "require '/wordpress/wp-load.php'; var_dump(wp_mail('bea@example.com', 'Hola ñ', 'Texto', ['Cc: c@example.com']));",
  );
  expect(answer.text).toContain("bool(true)");
  const [name = "", ...others] = readdirSync(mail);
  expect(others).toEqual([]);
  const { from, recipients, mime } = JSON.parse(readFileSync(join(mail, name), "utf8"));
  expect([from, recipients]).toEqual(["wordpress@anasite.localhost", ["bea@example.com", "c@example.com"]]);
  expect(Buffer.from(mime, "base64").toString()).toMatch(/Subject: =\?UTF-8\?[\s\S]*Texto/);
});
