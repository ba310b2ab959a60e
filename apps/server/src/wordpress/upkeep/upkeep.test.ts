import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { SiteMail } from "@nido/contract";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { testLong } from "@nido/test-kit/long";
import { readOutbox } from "@nido/test-kit/outbox";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eq, sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { projects, wordpressSites } from "../../db/schema.ts";
import { findJob } from "../../jobs/enqueue.ts";
import { removeFilesJob } from "../../projects/jobs.ts";
import { removeArchives } from "../../projects/removeArchives.ts";
import { provisionWordPressJob } from "../jobs.ts";
import { archiveSite, removeSiteFiles } from "../lifecycle/archiveSite.ts";
import { restoreSite } from "../lifecycle/restoreSite.ts";
import { unarchiveSite } from "../lifecycle/unarchiveSite.ts";
import { allowMail, findWordPress } from "../queries.ts";
import { siteOf } from "../WordPress.ts";
import { backUp, reportFailedBackup } from "./backups.ts";
import { measureSites } from "./measureSites.ts";
import { runCron } from "./runCron.ts";
import { sendMail } from "./sendMail.ts";
import { updateCore, updateSite } from "./updateCore.ts";

let sites: Sites;
let ana: TestSite;
/** a copy of WordPress, whose version the tests change */
let core: string;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  core = mkdtempSync(join(tmpdir(), "nido-core-"));
  undos.push(async () => rmSync(core, { recursive: true }));
  cpSync(process.env["WORDPRESS_CORE"] as string, core, { recursive: true });
  sites = await openSites((undo) => undos.unshift(undo), { WORDPRESS_CORE: core });
  ana = await sites.open("anasite");
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

async function rowOf(site: TestSite) {
  const row = await findWordPress(sites.server.db, site.id);
  if (!row) throw new Error("the site is gone");
  return row;
}

async function run(site: TestSite, code: string) {
  const file = `probe/p${Math.random().toString(36).slice(2)}.php`;
  return site.ask(await site.addProgram(file, `require '/wordpress/wp-load.php'; wp_set_current_user(1); ${code}`));
}

async function scheduleOf(site: TestSite) {
  const [row] = await sites.server.db.select().from(wordpressSites).where(eq(wordpressSites.projectId, site.id));
  return row?.nextCronAt;
}

/** Makes the outbox and the WP-Cron of a site due, as its report would. */
async function makeDue(...due: TestSite[]) {
  for (const { id } of due)
    await sites.server.db.execute(
      sql`update wordpress_sites set mail_due_at = now(), next_cron_at = now() where project_id = ${id}`,
    );
}

/** Changes the version of the WordPress at WORDPRESS_CORE. */
function release(version: string, edit: (source: string) => string = (source) => source) {
  const file = join(core, "wp-includes/version.php");
  const source = readFileSync(join(process.env["WORDPRESS_CORE"] as string, "wp-includes/version.php"), "utf8");
  writeFileSync(file, edit(source.replace(/\$wp_version = '[^']*'/, `$wp_version = '${version}'`)));
}

testLong("a backup restores files and database, and the last seven backups are kept", async () => {
  const { wordpress } = sites.server;
  await run(ana, "update_option('blogname', 'Antes');");
  writeFileSync(join(ana.folder.content, "uploads/a.txt"), "before");
  const name = await backUp(wordpress, siteOf(wordpress, await rowOf(ana)));
  expect(await wordpress.backups.list(ana.id)).toEqual([name]);
  await run(ana, "update_option('blogname', 'Después');");
  writeFileSync(join(ana.folder.content, "uploads/a.txt"), "after");
  writeFileSync(join(ana.folder.content, "uploads/b.txt"), "after");

  await restoreSite(wordpress, ana.id, { backup: name });
  expect((await ana.ask("/")).text).toContain("<title>Antes");
  expect((await ana.ask("/wp-content/uploads/a.txt")).text).toBe("before");
  expect((await ana.ask("/wp-content/uploads/b.txt")).status).toBe(404);
  await expect(restoreSite(wordpress, ana.id, { backup: "../../etc/passwd" })).rejects.toThrow("not a backup of site");
  for (let round = 0; round < 8; round++) await backUp(wordpress, siteOf(wordpress, await rowOf(ana)));
  // Also the two that were made before a restore.
  expect(await wordpress.backups.list(ana.id)).toHaveLength(7 + 2);
});

testLong(
  "sites are updated to a newer WordPress of their release line; an update that breaks a site is rolled back",
  async () => {
    const { wordpress, db } = sites.server;
    const { core: first } = await rowOf(ana);
    const branch = first.split(".").slice(0, 2).join(".");
    const update = async () => {
      await updateCore(wordpress);
      const { rows } = await db.execute(
        sql`select payload from graphile_worker._private_jobs where key like 'updateSite:%'`,
      );
      await db.execute(sql`delete from graphile_worker._private_jobs where key like 'updateSite:%'`);
      if (rows.length > 0) await updateSite(wordpress, ana.id);
      return rows.length;
    };
    release(`${branch}.98`);
    expect(await update()).toBe(1);
    expect((await rowOf(ana)).core).toBe(`${branch}.98`);
    await expect.poll(async () => (await ana.ask("/wp-login.php")).text).toContain(`ver=${branch}.98`);

    const { text: version } = await run(ana, "update_option('blogname', 'Entero'); echo get_option('db_version');");
    release(
      `${branch}.99`,
      (source) =>
        `${source.replace(/\$wp_db_version = \d+/, "$wp_db_version = 99999")}\nif ( isset( $GLOBALS['wp_db_version'] ) && strpos( $_SERVER['SCRIPT_NAME'], 'upgrade.php' ) === false ) { exit( http_response_code( 500 ) ); }`,
    );
    expect(await update()).toBe(1);
    expect((await rowOf(ana)).core).toBe(`${branch}.98`);
    expect(await rowOf(ana)).toMatchObject({ core: `${branch}.98`, refusedCore: `${branch}.99` });
    expect((await ana.ask("/")).text).toContain("<title>Entero");
    expect((await run(ana, "echo get_option('db_version');")).text).toBe(version);
    const backups = await wordpress.backups.list(ana.id);
    await updateSite(wordpress, ana.id);
    expect(await wordpress.backups.list(ana.id)).toEqual(backups);

    const told = (await readOutbox(sites.server)).filter(({ template }) => /[uU]pdate/.test(template));
    expect(told.map(({ template, params }) => [template, params["version"]])).toEqual([
      ["wordpressUpdated", `${branch}.98`],
      ["updateUndone", `${branch}.99`],
    ]);

    release("99.0");
    expect(await update()).toBe(0);
    expect((await rowOf(ana)).core).toBe(`${branch}.98`);
    release(`${branch}.97`);
    await updateCore(wordpress);
    expect((await wordpress.runtime.cores.current()).version).toBe("99.0");
    const versions = readdirSync(join(wordpress.dataDir, "wordpress")).filter((name) => /^\d/.test(name));
    expect(versions).toEqual(expect.arrayContaining([`${branch}.98`, `${branch}.99`, "99.0"]));
    expect(versions).not.toContain(`${branch}.97`);
  },
);

test("the automatic updates of plugins work, and those of the shared WordPress do not", async () => {
  const { text: answer } = await run(
    ana,
    `require_once ABSPATH . 'wp-admin/includes/admin.php';
     require_once ABSPATH . 'wp-admin/includes/class-wp-upgrader.php';
     echo json_encode([
       (new WP_Automatic_Updater)->is_disabled(),
       wp_is_auto_update_enabled_for_type('plugin'),
       Core_Upgrader::should_update_to_version('999.0'),
       Core_Upgrader::should_update_to_version(get_bloginfo('version') . '.1'),
     ]);`,
  );
  expect(JSON.parse(answer)).toEqual([false, true, false, false]);
});

test("runCron publishes a scheduled post without a visitor, and next-cron then holds a later time", async () => {
  const { wordpress } = sites.server;
  const planned = await run(
    ana,
    `$id = wp_insert_post(['post_title' => 'Futuro', 'post_status' => 'future', 'post_date_gmt' => gmdate('Y-m-d H:i:s', time() + 3600)]);
     wp_clear_scheduled_hook('publish_future_post', [$id]);
     global $wpdb; $wpdb->update($wpdb->posts, ['post_date' => '2020-01-01 00:00:00', 'post_date_gmt' => '2020-01-01 00:00:00'], ['ID' => $id]); clean_post_cache($id);
     wp_schedule_single_event(time() - 10, 'publish_future_post', [$id]); echo get_post_status($id);`,
  );
  expect(planned.text).toMatch(/^future$/);
  expect(Number(readFileSync(ana.folder.nextCron, "utf8"))).toBeLessThan(Date.now() / 1000);
  await runCron(wordpress);
  expect((await ana.ask("/")).text).toContain("Futuro");
  await runCron(wordpress);
  const next = Number(readFileSync(ana.folder.nextCron, "utf8")) * 1000;
  expect(next).toBeGreaterThan(Date.now());
  expect(await scheduleOf(ana)).toEqual(new Date(next));

  writeFileSync(ana.folder.nextCron, "nonsense");
  await makeDue(ana);
  await runCron(wordpress);
  // The site does not say when: it is run again after a while.
  expect((await scheduleOf(ana))?.getTime()).toBeGreaterThan(Date.now() + 5 * 60_000);
});

test("WordPress's own housekeeping waits for a day, and does not show that anybody uses the site", async () => {
  const { wordpress, db } = sites.server;
  const quiet = await sites.open("quietsite");
  const hour = 60 * 60_000;
  await db.execute(sql`update wordpress_sites set active_at = now() - interval '2 days', next_cron_at = now()
    where project_id = ${quiet.id}`);
  await runCron(wordpress);
  const [row] = await db.select().from(wordpressSites).where(eq(wordpressSites.projectId, quiet.id));
  expect(row?.nextCronAt?.getTime()).toBeGreaterThan(Date.now() + 20 * hour);
  expect(row?.activeAt.getTime()).toBeLessThan(Date.now() - 40 * hour);
  await quiet.ask("/wp-login.php");
  await expect
    .poll(async () =>
      (await db.select().from(wordpressSites).where(eq(wordpressSites.projectId, quiet.id)))[0]?.activeAt.getTime(),
    )
    .toBeGreaterThan(Date.now() - hour);
});

test("mail is sent once, malformed messages are deleted, and without an SMTP server messages are kept", async () => {
  const { wordpress } = sites.server;
  const received: { from: unknown; to: string[]; message: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      void text(stream).then((message) => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : mailFrom,
          to: rcptTo.map(({ address }) => address),
          message,
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;

  await run(ana, "wp_mail('bea@example.com', 'Hola', 'Un saludo', ['Bcc: c@example.com']);");
  await sendMail(wordpress, { isFree: async () => true, smtpUrl: undefined, from: "post@nido.example" });
  expect(readdirSync(ana.folder.mail)).toHaveLength(1);
  await makeDue(ana);
  await sendMail(wordpress, { isFree: async () => true, smtpUrl: "smtp://127.0.0.1:9", from: "post@nido.example" });
  expect(readdirSync(ana.folder.mail)).toHaveLength(1);
  writeFileSync(join(ana.folder.mail, "bad.json"), "{");
  writeFileSync(join(ana.folder.mail, "worse.json"), JSON.stringify({ recipients: ["not an address"], mime: "" }));
  // The site is being replaced: its outbox is left alone.
  await makeDue(ana);
  await sendMail(wordpress, { isFree: async () => false, smtpUrl: url, from: "post@nido.example" });
  expect([received, readdirSync(ana.folder.mail)]).toEqual([[], expect.objectContaining({ length: 3 })]);
  for (let round = 0; round < 2; round++) {
    await makeDue(ana);
    await sendMail(wordpress, { isFree: async () => true, smtpUrl: url, from: "post@nido.example" });
  }
  expect(received).toEqual([
    {
      from: "post@nido.example",
      to: ["bea@example.com", "c@example.com"],
      message: expect.stringContaining("Un saludo"),
    },
  ]);
  expect(received[0]?.message).toMatch(/^From: "WordPress" <post@nido\.example>\r\nReply-To: wordpress@/);
  expect(readdirSync(ana.folder.mail)).toEqual([]);

  // Its owner reads what became of the messages, and sends a test message.
  const headers = await signIn(sites.server, "anasite@example.com");
  const call = (method: "GET" | "POST", as = headers) =>
    sites.server.app.inject({ method, url: `/api/projects/${ana.id}/mail`, headers: as });
  const mail = (await call("GET")).json() as SiteMail;
  expect(mail).toMatchObject({ used: 2, allowed: 200, is_suspended: false });
  const shown = mail.messages.map(({ recipients, subject, status, problem }) => [recipients, subject, status, problem]);
  expect(shown).toHaveLength(3);
  expect(shown).toContainEqual(["bea@example.com, c@example.com", "Hola", "sent", expect.stringMatching(/^250 /)]);
  expect(shown.filter(([, , status]) => status === "dropped")).toEqual([
    ["", "", "dropped", "malformed"],
    ["", "", "dropped", "malformed"],
  ]);
  expect((await call("POST")).statusCode).toBe(202);
  await sendMail(wordpress, { isFree: async () => true, smtpUrl: "smtp://127.0.0.1:9", from: "post@nido.example" });
  const [waiting] = ((await call("GET")).json() as SiteMail).messages;
  expect(waiting).toMatchObject({ recipients: "anasite@example.com", status: "waiting", problem: "unreachable" });
  await makeDue(ana);
  await sendMail(wordpress, { isFree: async () => true, smtpUrl: url, from: "post@nido.example" });
  expect(((await call("GET")).json() as SiteMail).messages[0]).toMatchObject({ id: waiting?.id, status: "sent" });
  expect(received[1]).toMatchObject({ to: ["anasite@example.com"], message: expect.stringContaining("anasite") });
  await createCustomer(sites.server, "stranger@example.com");
  const stranger = await signIn(sites.server, "stranger@example.com");
  for (const method of ["GET", "POST"] as const) expect((await call(method, stranger)).statusCode).toBe(404);
});

test("a site that sends too much, or to addresses that do not exist, is stopped while a neighbour's mail goes out", async () => {
  const { wordpress, db } = sites.server;
  const neighbour = await sites.open("mailsite");
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) => {
      if (address.startsWith("nobody")) return done(Object.assign(new Error("no such user"), { responseCode: 550 }));
      received.push(address);
      done();
    },
    onData: (stream, _session, done) => void text(stream).then(() => done()),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const mailer = {
    isFree: async () => true,
    smtpUrl: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    from: "post@nido.example",
  };
  const write = ({ folder }: TestSite, recipients: string[]) =>
    writeFileSync(
      join(folder.mail, `${crypto.randomUUID()}.json`),
      JSON.stringify({ recipients, mime: Buffer.from("From: Bank <a@bank.es>\r\n\r\nx").toString("base64") }),
    );

  await db.execute(sql`delete from attempts`);
  for (let n = 0; n < 6; n++)
    write(
      ana,
      Array.from({ length: 50 }, (_, m) => `list${n}x${m}@example.com`),
    );
  write(neighbour, ["friend@example.com"]);
  await makeDue(ana, neighbour);
  await sendMail(wordpress, mailer);
  expect(received.filter((address) => address.startsWith("list"))).toHaveLength(200);
  expect(received).toContain("friend@example.com");
  expect(readdirSync(ana.folder.mail)).toHaveLength(2);

  await db.execute(sql`delete from attempts`);
  for (const name of readdirSync(ana.folder.mail)) rmSync(join(ana.folder.mail, name));
  for (let n = 0; n < 40; n++) write(ana, [`nobody${n}@example.com`]);
  for (let round = 0; round < 3; round++) {
    await makeDue(ana);
    await sendMail(wordpress, mailer);
  }
  expect(readdirSync(ana.folder.mail)).toHaveLength(40 - 26);
  write(neighbour, ["second@example.com"]);
  await makeDue(neighbour);
  await sendMail(wordpress, mailer);
  expect(received).toContain("second@example.com");
  await allowMail(db, ana.id);
  for (const name of readdirSync(ana.folder.mail)) rmSync(join(ana.folder.mail, name));
});

test("a file with a terabyte of holes is backed up without reading the holes", async () => {
  const { wordpress } = sites.server;
  const site = await sites.open("sparsesite");
  const file = join(site.folder.content, "uploads/holes.bin");
  writeFileSync(file, "begin");
  truncateSync(file, 2 ** 40);
  const name = await backUp(wordpress, siteOf(wordpress, await rowOf(site)));
  const archive = join(wordpress.dataDir, "backups", site.id, name);
  expect(statSync(archive).size).toBeLessThan(50e6);
  rmSync(file);
});

test("measureSites puts a site's disk use into its customer's state", async () => {
  const { wordpress, app, db } = sites.server;
  writeFileSync(join(ana.folder.content, "uploads/large.bin"), Buffer.alloc(5_000_000));
  await measureSites(wordpress);
  const [row] = await db.select({ used: projects.diskUsed }).from(projects).where(eq(projects.id, ana.id));
  const state = (
    await app.inject({ url: "/redux", headers: await signIn(sites.server, "anasite@example.com") })
  ).json();
  expect(state.projects[ana.id].disk).toEqual({ used: row?.used, allowed: 15e9 });
  expect(row?.used).toBeGreaterThan(5_000_000);
});

test("a customer is told once when a disk reaches 80 and 95 percent, and when backups fail", async () => {
  const { wordpress } = sites.server;
  const full = await sites.open("fullsite");
  const file = join(full.folder.content, "uploads/sparse.bin");
  const told = async (template: string) =>
    (await readOutbox(sites.server)).filter(
      (message) => message.template === template && message.params["name"] === "fullsite",
    );
  for (const share of [0.5, 0.81, 0.85, 0.96, 0.97]) {
    writeFileSync(file, "");
    truncateSync(file, 15e9 * share);
    await run(full, "echo 1;");
    await sites.server.db.execute(sql`update wordpress_sites set measured_at = to_timestamp(0)`);
    await measureSites(wordpress);
  }
  expect((await told("diskWarning")).map(({ params }) => params["percent"])).toEqual([80, 95]);
  for (let round = 0; round < 3; round++) await reportFailedBackup(wordpress, full.id);
  expect(await told("backupFailed")).toHaveLength(1);
});

test("a site at its disk limit cannot write large files, but can delete files", async () => {
  const small = await sites.open("smallsite");
  const fill = (bytes: number) =>
    run(small, `echo json_encode(@file_put_contents(WP_CONTENT_DIR . '/uploads/x.bin', str_repeat('x', ${bytes})));`);
  const { runtime } = sites.server.wordpress;
  const site = { ...siteOf(sites.server.wordpress, await rowOf(small)) };
  // A sparse file reaches the plan's disk limit without using real space.
  const file = join(small.folder.content, "uploads/sparse.bin");
  writeFileSync(file, "");
  truncateSync(file, 15e9 - 6_000_000);
  await runtime.stopSite(site.id);
  expect((await fill(500_000)).text).toBe("500000");
  expect((await fill(9_000_000)).text).not.toBe("9000000");
  expect(
    (
      await run(
        small,
        "update_option('blogname', 'Vivo'); unlink(WP_CONTENT_DIR . '/uploads/sparse.bin'); echo get_option('blogname');",
      )
    ).text,
  ).toBe("Vivo");
  await runtime.stopSite(site.id);
  expect((await fill(9_000_000)).text).toBe("9000000");
});

testLong("a deleted site that its customer takes back is restored, wherever the archiving was", async () => {
  const { wordpress, app, db } = sites.server;
  const eva = await sites.open("evasite");
  await run(eva, "update_option('blogname', 'Vuelve');");
  const headers = { ...(await signIn(sites.server, "evasite@example.com")), "content-type": "application/json" };
  const act = async (type: string, payload: object) => {
    const response = await app.inject({
      method: "POST",
      url: "/redux",
      headers,
      payload: JSON.stringify({ type, payload }),
    });
    expect(response.statusCode).toBe(200);
  };
  const status = async () => (await app.inject({ url: "/redux", headers })).json().projects[eva.id]?.status;
  const takeBack = async () => {
    const { entries } = (await app.inject({ url: "/api/activity", headers })).json();
    await act("UNDO", { activity_id: entries.find((entry: { undo?: string }) => entry.undo === "free").id });
    expect(await status()).toBe("provisioning");
  };
  const runtime = wordpress.runtimeOf(await rowOf(eva));
  const archivings = [
    async () => undefined,
    async () => archiveSite(wordpress, eva.id),
    // Interrupted when the backup was made and the site half removed.
    async () => {
      await backUp(wordpress, siteOf(wordpress, await rowOf(eva)));
      await runtime.unmarkInstalled(eva.id);
    },
  ];
  for (const archiving of archivings) {
    await act("DELETE_PROJECT", { id: eva.id });
    await archiving();
    await takeBack();
    // The archiving that was queued or is retried finds the project taken back.
    await archiveSite(wordpress, eva.id);
    for (let round = 0; round < 2; round++) await unarchiveSite(wordpress, eva.id);
    await expect.poll(status).toBe("active");
    await expect.poll(async () => (await eva.ask("/")).text).toContain("<title>Vuelve");
  }
  // Deleted again before the restoring began: nothing comes back, and the archive stays.
  await act("DELETE_PROJECT", { id: eva.id });
  await archiveSite(wordpress, eva.id);
  await takeBack();
  await act("DELETE_PROJECT", { id: eva.id });
  await unarchiveSite(wordpress, eva.id);
  await archiveSite(wordpress, eva.id);
  expect(await status()).toBeUndefined();
  expect(existsSync(eva.folder.root)).toBe(false);
  expect(await wordpress.backups.list(eva.id)).not.toEqual([]);
  await db.execute(sql`delete from projects where id = ${eva.id}`);
});

test("a site that was deleted before it was installed is installed when its customer takes it back", async () => {
  const { wordpress, app, db } = sites.server;
  const half = await sites.open("halfsite");
  const runtime = wordpress.runtimeOf(await rowOf(half));
  await runtime.remove(half.id);
  await runtime.unmarkInstalled(half.id);
  await db.execute(sql`insert into checkouts (user_id, state, name, plan_id, recipe_id, recipe, username, locale, promo, sub_id, task_id, expires_at)
    select p.user_id, 'paid', p.name, 'price', p.recipe_id, p.recipe, 'lucia', 'es', '', p.sub_id, w.task_id, now()
    from projects p join wordpress_sites w on w.project_id = p.id where p.id = ${half.id}`);
  const headers = { ...(await signIn(sites.server, "halfsite@example.com")), "content-type": "application/json" };
  const act = (type: string, payload: object) =>
    app.inject({ method: "POST", url: "/redux", headers, payload: JSON.stringify({ type, payload }) });
  await act("DELETE_PROJECT", { id: half.id });
  await archiveSite(wordpress, half.id);
  expect(await wordpress.backups.list(half.id)).toEqual([]);
  const { entries } = (await app.inject({ url: "/api/activity", headers })).json();
  await act("UNDO", { activity_id: entries[0].id });
  await unarchiveSite(wordpress, half.id);
  expect(await rowOf(half)).toMatchObject({ status: "provisioning", archivedAt: null });
  expect(await findJob(db, provisionWordPressJob, half.id)).toBeDefined();
});

test("a deleted site is offline at once, archived, restorable by an operator, and removed after thirty days", async () => {
  const { wordpress, app, db } = sites.server;
  const bea = await sites.open("beasite");
  await run(bea, "update_option('blogname', 'Recuerdo');");
  const headers = { ...(await signIn(sites.server, "beasite@example.com")), "content-type": "application/json" };
  const payload = JSON.stringify({ type: "DELETE_PROJECT", payload: { id: bea.id } });
  expect((await app.inject({ method: "POST", url: "/redux", headers, payload })).statusCode).toBe(200);
  expect((await bea.ask("/")).status).toBe(404);
  for (let round = 0; round < 2; round++) await archiveSite(wordpress, bea.id);
  expect(existsSync(bea.folder.root)).toBe(false);
  const [backup = "", ...others] = await wordpress.backups.list(bea.id);
  expect(others).toEqual([]);

  await restoreSite(wordpress, bea.id, { backup: backup });
  await expect.poll(async () => (await bea.ask("/")).text).toContain("<title>Recuerdo");
  const state = (await app.inject({ url: "/redux", headers })).json();
  expect(state.projects[bea.id]).toMatchObject({ status: "active" });

  await app.inject({ method: "POST", url: "/redux", headers, payload });
  await archiveSite(wordpress, bea.id);
  await removeArchives(db, app.log, async () => undefined);
  expect(await findJob(db, removeFilesJob, bea.id)).toBeUndefined();
  expect(await wordpress.backups.list(bea.id)).not.toEqual([]);
  await db.execute(sql`update projects set archived_at = now() - interval '31 days' where id = ${bea.id}`);
  await removeArchives(db, app.log, async () => undefined);
  expect(await findJob(db, removeFilesJob, bea.id)).toBeDefined();
  await removeSiteFiles(wordpress, bea.id);
  expect(await wordpress.backups.list(bea.id)).toEqual([]);
  expect(await db.select().from(wordpressSites).where(eq(wordpressSites.projectId, bea.id))).toEqual([]);
  const free = await app.inject({ url: "/api/domain/beasite", headers: { host: "localhost:3000" } });
  expect(free.statusCode).toBe(202);
});
