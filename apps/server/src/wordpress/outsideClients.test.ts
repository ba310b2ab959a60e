import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import WPAPI from "wpapi";

const python = ["/usr/bin/python3", "/usr/local/bin/python3"].find((path) => existsSync(path));
if (!python) console.log("Skipped: Python's XML-RPC client, because Python is missing.");

describe.each(testedRuntimes("clients that others wrote"))(
  "clients that others wrote, on a site of the %s runtime",
  (runtime) => {
    let sites: Sites;
    let ana: TestSite;
    const undos: (() => Promise<void>)[] = [];

    beforeAll(async () => {
      const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
      const env = await settingsOf(runtime, whenDone);
      sites = await openSites(whenDone, env);
      ana = await sites.open("anasite");
    });
    afterAll(async () => {
      if (ana) await sites.server.wordpress.runtime.remove(ana.id);
      for (const undo of undos) await undo();
    });

    const host = "anasite.localhost:3000";
    const load = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';";
    const run = async (code: string) =>
      (await ana.ask(await ana.addProgram(`p${Math.random().toString(36).slice(2)}.php`, `${load} ${code}`))).text;

    test("wpapi writes, finds, changes and deletes a post with an application password", async () => {
      const password = await run(
        "[$secret] = WP_Application_Passwords::create_new_application_password(1, array('name' => 'wpapi')); echo $secret;",
      );
      const transport = Object.fromEntries(
        (["get", "post", "put", "delete"] as const).map((method) => [method, sender(method.toUpperCase(), password)]),
      );
      const site = new WPAPI({ endpoint: `http://${host}/wp-json`, transport });
      const made = await site.posts().create({ title: "Desde wpapi", content: "Ñandú", status: "publish" });
      expect(made).toMatchObject({ status: "publish", slug: "desde-wpapi" });
      expect((await ana.ask("/desde-wpapi/")).text).toContain("Ñandú");
      const found = await site.posts().search("wpapi").perPage(5).embed();
      expect(found.map(({ id }: { id: number }) => id)).toEqual([made.id]);
      await site.posts().id(made.id).update({ title: "Cambiada" });
      expect(await site.posts().id(made.id).get()).toMatchObject({ title: { rendered: "Cambiada" } });
      await site.posts().id(made.id).delete({ force: true });
      expect((await ana.ask("/desde-wpapi/")).status).toBe(404);
      await expect(site.users().me().param("context", "nonsense").get()).rejects.toMatchObject({
        code: "rest_invalid_param",
      });
    });

    /** wpapi's requests, sent to the site by its host. */
    function sender(method: string, password: string) {
      return async (query: { toString(): string }, data?: object) => {
        const { pathname, search } = new URL(String(query));
        const credentials = Buffer.from(`lucia:${password}`).toString("base64");
        const headers = { authorization: `Basic ${credentials}`, "content-type": "application/json" };
        const body = method === "GET" ? undefined : JSON.stringify(data ?? {});
        const answer = await ana.ask(pathname + search, { method, headers, ...(body && { body }) });
        const value = JSON.parse(answer.text);
        if (answer.status >= 400) throw value;
        return value;
      };
    }

    test.skipIf(!python)("Python's xmlrpc.client uploads a picture and publishes a post", async () => {
      await run("wp_set_password('Secreta-123', 1);");
      const program = join(import.meta.dirname, "publish.py");
      const { stdout } = await promisify(execFile)(python ?? "", [
        program,
        sites.address,
        host,
        "lucia",
        "Secreta-123",
      ]);
      expect(stdout.trim().split("\n")).toEqual(["Desde Python 2", "403"]);
      const page = await ana.ask("/desde-python/");
      const [, picture = ""] = /(\/wp-content\/uploads\/[^"'\s<]+punto\.png)/.exec(page.text) ?? [];
      expect((await ana.ask(picture)).headers["content-type"]).toBe("image/png");
    });
  },
);
