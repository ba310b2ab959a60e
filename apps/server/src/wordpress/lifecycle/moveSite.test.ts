import { signIn } from "@nido/test-kit/app";
import { type NameServer, startNameServer, whyNoNameServer } from "@nido/test-kit/nameServer";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBackupRows, findContents } from "../backupRows.ts";
import { findWordPress } from "../queries.ts";
import { backUp } from "../upkeep/backups.ts";
import { siteOf } from "../WordPress.ts";
import { moveSite } from "./moveSite.ts";
import { restoreSite } from "./restoreSite.ts";

const included = "anasite.localhost:3000";
const own = "www.example.com:3000";

const reason = whyNotNative() ?? whyNoNameServer;
if (reason) console.log(`Skipped: moving on the native runtime, because ${reason}.`);

describe.each([
  ["embedded", whyNoNameServer],
  ["native", reason],
] as const)("moveSite on the %s runtime", (runtime, whyNot) => {
  let sites: Sites;
  let ana: TestSite;
  let names: NameServer;
  let headers: Record<string, string>;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    if (whyNot) return;
    const whenDone = (undo: () => Promise<void>) => void undos.unshift(undo);
    names = await startNameServer(["example.com", "localhost"]);
    whenDone(names.stop);
    await names.set("www.example.com", "CNAME", "anasite.localhost.");
    const env = runtime === "native" ? (await startNative(whenDone)).env : {};
    sites = await openSites(whenDone, { ...env, DNS_SERVERS: names.address });
    ana = await sites.open("anasite");
    undos.unshift(() => sites.server.wordpress.runtime.remove(ana.id));
    headers = await signIn(sites.server, "anasite@example.com");
    await sites.server.db.execute(sql`insert into domains (project_id, name, domain, status)
      values (${ana.id}, 'www.example.com', 'www.example.com', 'verified'), (${ana.id}, 'no.example.com', 'no.example.com', 'pending')`);
  });
  afterAll(async () => {
    for (const undo of undos) await undo();
  });

  /** Runs PHP code in the site and returns its output. `host` is the site's current host. */
  async function run(host: string, code: string) {
    const path = `probe/p${Math.random().toString(36).slice(2)}.php`;
    const program = await ana.addProgram(
      path,
      `require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; wp_set_current_user(1); ${code}`,
    );
    return (await ana.askAt(host, program)).text;
  }

  async function setPrimaryDomain(domain: string) {
    const { rows } = await sites.server.db.execute(sql`select id from domains where domain = ${domain}`);
    const payload = { project_id: ana.id, domain_id: rows[0]?.["id"] ?? domain };
    const response = await sites.server.app.inject({
      method: "POST",
      url: "/redux",
      headers,
      payload: { type: "SET_PRIMARY_DOMAIN", payload },
    });
    await moveSite(sites.server.wordpress, ana.id);
    return response;
  }

  const everything = `echo json_encode( array( get_option( 'home' ), get_post( $GLOBALS['id'] ?? 1 )->post_content, get_option( 'nido_probe' ) ) );`;

  test.skipIf(whyNot)(
    "rewrites the site's URLs to the customer's domain, redirects the old host, and moves back",
    async () => {
      const written = (host: string) => [
        `http://${host}`,
        `<a href="http://${host}/a">a</a> http://${host}. HTTPS:\\/\\/x {"u":"http:\\/\\/${host}\\/b"} http://${host}.evil.example http://${host}1`,
        { deep: [`http://${host}/ñ`, 'a:1:{i:0;s:3:"abc";}'], flat: `see http://${host}` },
      ];
      const [, content, option] = written(included);
      await run(
        included,
        `wp_update_post( wp_slash( array( 'ID' => 1, 'post_content' => json_decode( ${quoted(JSON.stringify(content))} ) ) ) );
       update_option( 'nido_probe', json_decode( ${quoted(JSON.stringify(option))}, true ) );`,
      );
      const before = await run(included, everything);
      expect(JSON.parse(before)[2]).toEqual(option);
      expect((await ana.ask("/")).text).toContain(included);

      expect((await setPrimaryDomain("no.example.com")).json()).toEqual({ error: "error_domain_not_configured" });
      expect((await setPrimaryDomain("www.example.com")).statusCode).toBe(200);
      const [backup] = await findBackupRows(sites.server.db, ana.id);
      expect(backup?.reason).toBe("domain");
      const contents = await findContents(sites.server.db, ana.id);
      expect(contents.get(backup?.name ?? "")).toMatchObject({ posts: 1, pages: expect.any(Number), users: 1 });
      const redirected = await ana.ask("/hola-mundo/?x=1");
      expect([redirected.status, redirected.headers.location]).toEqual([307, `http://${own}/hola-mundo/?x=1`]);
      const page = await ana.askAt(own, "/");
      expect(page.status).toBe(200);
      expect(page.text).toContain(`http://${own}/`);
      expect(page.text).not.toContain(`http://${included}/`);
      const [home, moved, value] = JSON.parse(await run(own, everything));
      expect([home, value]).toEqual([`http://${own}`, written(own)[2]]);
      // Hosts that only start with the old host are not rewritten.
      expect(moved).toBe(
        String(written(own)[1])
          .replace(`http://${own}.evil`, `http://${included}.evil`)
          .replace(`http://${own}1`, `http://${included}1`),
      );

      const { token } = (await sites.server.app.inject({ url: `/api/vault/${ana.id}/sso`, headers })).json();
      const sentOn = await ana.ask("/nido-sso", { form: { token } });
      expect([sentOn.status, sentOn.headers.location]).toEqual([307, `http://${own}/nido-sso`]);
      expect((await ana.askAt(own, "/nido-sso", { form: { token } })).headers.location).toBe(`http://${own}/wp-admin/`);
      // If DNS points elsewhere, no sign-in token is issued: another party may control the name.
      await names.set("www.example.com", "CNAME", "elsewhere.example.com.");
      const refused = await sites.server.app.inject({ url: `/api/vault/${ana.id}/sso`, headers });
      expect(refused.json()).toEqual({ error: "error_domain_not_configured" });
      await names.set("www.example.com", "CNAME", "anasite.localhost.");

      // The page cache is invalidated at the new host too.
      await ana.askAt(own, "/");
      await run(own, "update_option( 'blogname', 'Otro nombre' ); do_action( 'shutdown' );");
      await expect.poll(async () => (await ana.askAt(own, "/")).text).toContain("Otro nombre");

      expect((await setPrimaryDomain("controlled")).statusCode).toBe(200);
      expect(await run(included, everything)).toBe(before);
      expect((await ana.askAt(own, "/")).headers.location).toBe(`http://${included}/`);
    },
  );

  test.skipIf(whyNot)("keeps the current primary domain when an older backup is restored", async () => {
    const { wordpress, db } = sites.server;
    const row = await findWordPress(db, ana.id);
    if (!row) throw new Error("the site is gone");
    await backUp(wordpress, siteOf(wordpress, row));
    await setPrimaryDomain("www.example.com");
    const [backup] = await wordpress.backups.list(ana.id);
    await restoreSite(wordpress, ana.id, { backup: backup as string });
    expect(JSON.parse(await run(own, everything))[1]).toContain(`http://${own}/a`);
    await setPrimaryDomain("controlled");
  });
});

/** A PHP string literal. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
