import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { signIn } from "@nido/test-kit/app";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restoreSite } from "../lifecycle/restoreSite.ts";
import { findWordPress } from "../queries.ts";
import { backUp, restoreBackup } from "../upkeep/backups.ts";
import { siteOf } from "../WordPress.ts";
import { accountOf, managerSocket, phpFolder } from "./names.ts";
import { userId } from "./unixAccounts.ts";

const reason = whyNotNative();
if (reason) console.log(`Skipped: the native runtime, because ${reason}.`);

describe.skipIf(reason)("the native runtime", () => {
  let native: Awaited<ReturnType<typeof startNative>>;
  let sites: Sites;
  let ana: TestSite;
  let bea: TestSite;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    native = await startNative((undo) => undos.unshift(undo));
    sites = await openSites((undo) => undos.unshift(undo), { ...native.env, WORDPRESS_REQUEST_SECONDS: "10" });
    [ana, bea] = await Promise.all([sites.open("anasite"), sites.open("beasite", "wordpress_pro")]);
  });
  afterAll(async () => {
    for (const site of [ana, bea]) if (site) await sites.server.wordpress.runtime.remove(site.id);
    for (const undo of undos) await undo();
  });

  async function run(site: TestSite, code: string) {
    return site.ask(await site.addProgram(`probe/p${Math.random().toString(36).slice(2)}.php`, code));
  }

  async function enter(site: TestSite) {
    const headers = await signIn(sites.server, site === ana ? "anasite@example.com" : "beasite@example.com");
    const { token } = (await sites.server.app.inject({ url: `/api/vault/${site.id}/sso`, headers })).json();
    const answer = await site.ask("/nido-sso", { form: { token } });
    expect([answer.status, answer.headers.location]).toEqual([303, expect.stringMatching(/wp-admin\/$/)]);
    const cookie = answer.headers["set-cookie"]?.map((line) => line.split(";")[0]).join("; ") ?? "";
    const page = await site.ask("/wp-admin/media-new.php", { headers: { cookie } });
    expect(page.status).toBe(200);
    const nonce = await site.ask("/wp-admin/admin-ajax.php?action=rest-nonce", { headers: { cookie } });
    return { cookie, "x-wp-nonce": nonce.text };
  }

  test("serves a site's pages, and a post and a photo added through the REST API", async () => {
    const home = await ana.ask("/");
    expect([home.status, /<html lang="es(-ES)?">/.test(home.text)]).toEqual([200, true]);
    const headers = await enter(ana);
    const post = await ana.ask("/wp-json/wp/v2/posts", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ title: "Abrimos", content: "Con música", status: "publish" }),
    });
    expect(post.status).toBe(201);
    expect((await ana.ask("/")).text).toContain("Abrimos");
    expect((await ana.ask("/abrimos/")).text).toContain("Con música");

    const photo = await sampleImage();
    const upload = await ana.ask("/wp-json/wp/v2/media", {
      method: "POST",
      headers: { ...headers, "content-type": "image/png", "content-disposition": 'attachment; filename="plaza.png"' },
      body: photo,
    });
    expect(upload.status).toBe(201);
    const { source_url: source, media_details: details } = JSON.parse(upload.text);
    expect([details.width, details.height]).toEqual([600, 400]);
    const seen = await ana.ask(new URL(source).pathname);
    expect([seen.status, seen.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(seen.body.equals(photo)).toBe(true);
  });

  test("answers 507 to uploads when the site's disk is full, but accepts posts", async () => {
    const headers = await enter(ana);
    const { db, live } = sites.server;
    const fill = async (used: number) => {
      await db.execute(sql`update projects set disk_used = ${used} where id = ${ana.id}`);
      live.forget(ana.userId);
    };
    const upload = (bytes: number) =>
      ana.ask("/wp-json/wp/v2/media", {
        method: "POST",
        headers: { ...headers, "content-type": "image/png" },
        body: Buffer.alloc(bytes),
      });
    await fill(16e9);
    expect((await upload(300_000)).status).toBe(507);
    const post = await ana.ask("/wp-json/wp/v2/posts", {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ title: "Sin sitio", status: "draft" }),
    });
    expect(post.status).toBe(201);
    await fill(1000);
    expect((await upload(300_000)).status).not.toBe(507);
  });

  test("answers while twenty slow clients keep their request bodies unfinished", async () => {
    const { port } = sites.server.app.server.address() as AddressInfo;
    const head = "POST /?s=x HTTP/1.1\r\nhost: anasite.localhost:3000\r\ncontent-length: 100000\r\n\r\nabc";
    const slow = Array.from({ length: 20 }, () => connect(port, "127.0.0.1"));
    for (const socket of slow) socket.write(head);
    await Promise.all(slow.map((socket) => once(socket, "connect")));
    const answers = await Promise.all([1, 2, 3].map((n) => ana.ask(`/?s=${n}`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    for (const socket of slow) socket.destroy();
  });

  test("runs each site's PHP as a Unix user of its own", () => {
    for (const site of [ana, bea]) {
      const uid = userId(accountOf(site.id));
      expect(uid).toBeGreaterThan(0);
      const users = readdirSync("/proc")
        .filter((pid) => isPhpOf(pid, native.runDir, site.id))
        .map((pid) => statSync(`/proc/${pid}`).uid);
      expect(users.filter((user) => user === uid)).not.toEqual([]);
      const { mode, uid: owner } = statSync(site.folder.root);
      expect([mode & 0o777, owner]).toEqual([0o751, 0]);
    }
    expect(userId(accountOf(ana.id))).not.toBe(userId(accountOf(bea.id)));
  });

  test("isolates a site from its neighbour's files, PHP socket and database, and from the machine's", async () => {
    writeFileSync(join(bea.folder.content, "uploads/secret.txt"), "the-secret-of-bea");
    const other = accountOf(bea.id);
    const probe = await run(
      ana,
      `$out = [];
       foreach (['${bea.folder.content}/uploads/secret.txt', '${bea.folder.settings}', '/etc/passwd', '/proc/self/environ'] as $t) $out[] = @file_get_contents($t);
       $out[] = @scandir('${bea.folder.root}'); $out[] = @file_put_contents('${bea.folder.content}/x', 'x');
       $out[] = @file_put_contents($_SERVER['DOCUMENT_ROOT'] . '/x.php', 'x');
       mysqli_report(MYSQLI_REPORT_OFF);
       $out[] = (bool) @mysqli_connect('localhost', '${other}', '', '${other}', 0, '${native.socket}');
       $own = mysqli_connect('localhost', '${accountOf(ana.id)}', '', '', 0, '${native.socket}');
       $out[] = (bool) @mysqli_query($own, 'select * from \`${other}\`.wp_users');
       $out[] = (bool) @mysqli_query($own, 'select * from mysql.user');
       $out[] = (bool) @stream_socket_client('unix://${phpFolder(native.runDir, bea.id)}/php.sock');
       $out[] = (bool) @stream_socket_client('unix://${managerSocket(native.runDir)}');
       ini_set('memory_limit', '-1'); $out[] = ini_get('memory_limit') === '-1';
       $out[] = @scandir('/proc'); $out[] = @scandir('/root'); $out[] = @scandir('/var/lib/nido');
       foreach (['exec', 'shell_exec', 'system', 'passthru', 'popen', 'proc_open', 'symlink', 'link'] as $f) $out[] = function_exists($f);
       echo json_encode([$out, getenv(), mysqli_fetch_row(mysqli_query($own, 'select count(*) from ${accountOf(ana.id)}.wp_users'))]);`,
    );
    const [denied, env, [users]] = JSON.parse(probe.text);
    expect(denied).toEqual(denied.map(() => false));
    expect(users).toBe("1");
    for (const name of ["PATH", "DATA_DIR", "DATABASE_URL"]) expect(env).not.toHaveProperty(name);
  });

  test("ends an endless loop and memory exhaustion, while the neighbour answers", async () => {
    let isOver = false;
    const loop = run(ana, "while (true) {}").finally(() => {
      isOver = true;
    });
    expect((await bea.ask("/wp-login.php")).status).toBe(200);
    expect(isOver).toBe(false);
    expect((await loop).status).toBe(503);
    expect((await run(ana, "$a = str_repeat('x', 1 << 30);")).status).toBe(500);
    expect((await ana.ask("/wp-login.php")).status).toBe(200);
  });

  test("starts a stopped site on request, and removes a site with its user and files", async () => {
    const { runtime } = sites.server.wordpress;
    await runtime.stopSite(bea.id);
    expect((await bea.ask("/wp-login.php")).status).toBe(200);
    const gone = await sites.open("gonesite");
    await runtime.remove(gone.id);
    expect(userId(accountOf(gone.id))).toBeUndefined();
    expect(statSync(gone.folder.root, { throwIfNoEntry: false })).toBeUndefined();
  });

  test.each(["Imagick", "GD"])(
    "a photo of 24 megapixels is resized with %s within the smallest plan's memory",
    async (editor) => {
      const photo = join(ana.folder.content, "uploads", `large-${editor}.jpg`);
      const draw = "$i = imagecreatetruecolor(6000, 4000); imagefilledellipse($i, 3000, 2000, 5000, 3000, 0xaabbcc);";
      execFileSync("/usr/bin/php", ["-d", "memory_limit=1G", "-r", `${draw} imagejpeg($i, $argv[1]);`, photo]);
      const code = `require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';
        require ABSPATH . 'wp-admin/includes/image.php';
        add_filter('wp_image_editors', fn () => ['WP_Image_Editor_${editor}']);
        $file = WP_CONTENT_DIR . '/uploads/large-${editor}.jpg';
        $id = wp_insert_attachment(['post_mime_type' => 'image/jpeg', 'post_title' => 'large'], $file);
        $meta = wp_generate_attachment_metadata($id, $file);
        echo json_encode([$meta['width'], count($meta['sizes']), Imagick::getResourceLimit(Imagick::RESOURCETYPE_MEMORY) >> 20]);`;
      const url = await ana.addProgram(`resize-${editor}.php`, code);
      const { wordpress, db } = sites.server;
      const row = await findWordPress(db, ana.id);
      const site = siteOf(wordpress, row as NonNullable<typeof row>);
      const script = { in: "content", path: url.replace("/wp-content/", "") } as const;
      const call = { method: "GET", url, headers: {}, visitor: "192.0.2.1", script, seconds: 100 };
      const { body } = await wordpress.runtimeOf(site).answer(site, call);
      expect(JSON.parse(await text(body))).toEqual([2560, 6, 64]);
    },
  );

  test("backs up and restores a site with its database", async () => {
    const { wordpress } = sites.server;
    const row = await findWordPress(sites.server.db, bea.id);
    const site = siteOf(wordpress, row as NonNullable<typeof row>);
    const load = `require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; wp_set_current_user(1);`;
    await run(bea, `${load} update_option('blogname', 'Antes');`);
    const name = await backUp(wordpress, site);
    await run(
      bea,
      `${load} update_option('blogname', 'Después'); file_put_contents(WP_CONTENT_DIR . '/uploads/x.txt', 'x');`,
    );
    expect((await bea.ask("/wp-content/uploads/x.txt")).text).toBe("x");
    await restoreSite(wordpress, bea.id, { backup: name });
    expect((await bea.ask("/")).text).toContain("<title>Antes");
    expect((await bea.ask("/wp-content/uploads/x.txt")).status).toBe(404);
    // The files of the backup that was made before the restore, and the database of the first.
    const [newest = ""] = await wordpress.backups.list(bea.id);
    const of = (backup: string) => ({ siteId: bea.id, name: backup });
    const isChosen = (path: string) => path.startsWith("wp-content/");
    await restoreBackup(wordpress, site, { chosen: of(newest), isChosen, rest: of(name) });
    expect((await bea.ask("/")).text).toContain("<title>Antes");
    expect((await bea.ask("/wp-content/uploads/x.txt")).text).toBe("x");
  });

  test("the privileged site manager accepts only a verb and an id, and refuses an invalid desired state", async () => {
    const say = async (line: string) => {
      const socket = connect(managerSocket(native.runDir));
      socket.end(line);
      return (await text(socket)).trim();
    };
    for (const line of [
      "",
      "start",
      `dance ${ana.id}`,
      `start ../../etc`,
      `start ${ana.id} --x`,
      `start ${ana.id.toUpperCase()}`,
      `stop ${ana.id}\nremove ${bea.id}`,
    ])
      expect([line, await say(line)]).toEqual([line, "unknown command"]);
    expect(await say("x".repeat(5000)).catch(() => "")).toBe("");
    expect(await say(`start ${crypto.randomUUID()}`)).not.toBe("ok");
    writeFileSync(
      join(native.env.DATA_DIR, "desired", `${ana.id}.json`),
      JSON.stringify({ recipe: "root", core: "../..", platform: "/etc" }),
    );
    await say(`stop ${ana.id}`);
    expect(await say(`start ${ana.id}`)).not.toBe("ok");
    expect((await ana.ask("/wp-login.php")).status).toBe(200);
  });
});

function isPhpOf(pid: string, runDir: string, siteId: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`${runDir}/php/${siteId}.conf`);
  } catch {
    return false;
  }
}

/** A PNG of 600 x 400 pixels, from which WordPress can make thumbnails. */
async function sampleImage(): Promise<Buffer> {
  const { deflateSync, crc32 } = await import("node:zlib");
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.from([0, 0, 2, 88, 0, 0, 1, 144, 8, 2, 0, 0, 0]);
  const pixels = Buffer.alloc(400 * (1 + 600 * 3), 120).map((value, index) => (index % 1801 === 0 ? 0 : value));
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
