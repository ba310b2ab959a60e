import { signIn } from "@nido/test-kit/app";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(testedRuntimes("backups before changes in WordPress"))(
  "WordPress's screens on the %s runtime",
  (runtime) => {
    let sites: Sites;
    let jobs: ReturnType<typeof openSiteJobs>;
    const opened: TestSite[] = [];
    const undos: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
      sites = await openSites(whenDone, await settingsOf(runtime, whenDone));
      jobs = openSiteJobs(sites, whenDone);
    });
    afterAll(async () => {
      for (const site of opened) await sites.server.wordpress.runtime.remove(site.id);
      for (const undo of undos) await undo();
    });

    /** A site with three plugins, two of them active, whose owner is signed in to WordPress. */
    async function openOwner(name: string) {
      const site = await sites.open(name);
      opened.push(site);
      const headers = await signIn(sites.server, `${name}@example.com`);
      for (const plugin of ["one", "two", "three"])
        await site.addProgram(
          `${plugin}/${plugin}.php`,
          `/* Plugin Name: ${plugin} */ add_action('wp_footer', fn () => print '<p>is ${plugin}</p>');`,
        );
      const load = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';";
      const active = "update_option('active_plugins', array('one/one.php', 'two/two.php')); echo 'on';";
      expect((await site.ask(await site.addProgram("activate.php", `${load} ${active}`))).text).toBe("on");
      const { token } = (await sites.server.app.inject({ url: `/api/vault/${site.id}/sso`, headers })).json();
      const entered = await site.ask("/nido-sso", { form: { token } });
      const cookie = (entered.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
      const page = async () => (await site.ask("/wp-admin/plugins.php", { headers: { cookie } })).text;
      return {
        headers,
        page,
        nonce: /name="_wpnonce" value="(\w+)"/.exec(await page())?.[1] ?? "",
        backups: async () => {
          const answer = await sites.server.app.inject({ url: `/api/projects/${site.id}/backups`, headers });
          return answer.json().backups as { name: string; reason: string; note: string }[];
        },
        shown: async () =>
          [...(await site.ask(`/?x=${Math.random()}`)).text.matchAll(/<p>is (\w+)/g)].map(([, plugin]) => plugin),
        post: (form: Record<string, string>, path = "plugins.php", as = cookie) =>
          site.ask(`/wp-admin/${path}`, { form, headers: { cookie: as } }),
      };
    }
    const both = (nonce: string) => ({
      action: "deactivate-selected",
      _wpnonce: nonce,
      "checked[0]": "one/one.php",
      "checked[1]": "two/two.php",
    });

    test("a backup precedes bulk acts, and is offered to undo them; strangers cause none", async () => {
      const { headers, page, nonce, backups, shown, post } = await openOwner("anasite");
      for (const form of [both("wrong"), { ...both(nonce), action: "nothing" }]) await post(form);
      await post(both(nonce), "plugins.php", "wordpress_logged_in_x=1");
      expect([await backups(), await shown()]).toEqual([[], ["one", "two"]]);

      const acting = post(both(nonce));
      await eventually(() => jobs.work());
      expect((await acting).headers.location).toContain("deactivate-multi=true");
      expect(await shown()).toEqual([]);
      expect(await backups()).toMatchObject([{ reason: "admin", note: "one, two" }]);

      // The rest of a series shares the backup, as the screens do one thing after the other.
      const updates = /"ajax_nonce":"(\w+)"/.exec(await page())?.[1] ?? "";
      const deleted = { action: "delete-plugin", plugin: "three/three.php", slug: "three", _ajax_nonce: updates };
      expect(JSON.parse((await post(deleted, "admin-ajax.php")).text).data).toMatchObject({ delete: "plugin" });
      expect(await backups()).toHaveLength(1);

      const { entries } = (await sites.server.app.inject({ url: "/api/activity", headers })).json();
      expect(entries[0]).toMatchObject({ kind: "adminChanged", params: { items: "one, two" }, undo: "free" });
      const undo = { type: "UNDO", payload: { activity_id: entries[0].id } };
      await sites.server.app.inject({ method: "POST", url: "/redux", headers, payload: undo });
      await jobs.work();
      expect(await shown()).toEqual(["one", "two"]);
    });

    test("without a backup, nothing is changed, and the owner is told, and may go on without one", async () => {
      const { headers, nonce, shown, post } = await openOwner("beasite");
      const acting = post(both(nonce));
      await eventually(async () => {
        const { rows } = await sites.server.db.execute(
          sql`update wordpress_sites set work = work || '{"has_failed": true}' where work is not null returning 1`,
        );
        expect(rows).toHaveLength(1);
      });
      const { status, text } = await acting;
      expect([status, text.includes("copia de seguridad previa")]).toEqual([503, true]);
      expect(await shown()).toEqual(["one", "two"]);
      await jobs.forget();

      expect((await post(both(nonce))).headers.location).toContain("deactivate-multi=true");
      expect(await shown()).toEqual([]);
      const { entries } = (await sites.server.app.inject({ url: "/api/activity", headers })).json();
      expect(entries.map(({ kind }: { kind: string }) => kind)).not.toContain("adminChanged");
    });
  },
);
