import { signIn } from "@nido/test-kit/app";
import { digestSite, fillSite } from "@nido/test-kit/largeSite";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSiteJobs } from "@nido/test-kit/siteJobs";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findStaging } from "./queries.ts";
import { backUpSite } from "./upkeep/backups.ts";

/** By default a small site; `npm run test:long` has 5000 posts and 2000 files. */
const posts = Number(process.env["NIDO_TEST_POSTS"] ?? 60);
const files = Math.ceil(posts * 0.4);
describe.each(testedRuntimes("a large site"))("a site with many posts and files on the %s runtime", (runtime) => {
  let sites: Sites;
  let bea: TestSite;
  let headers: Record<string, string>;
  let jobs: ReturnType<typeof openSiteJobs>;
  const undos: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const whenDone = (undo: () => Promise<void>) => undos.unshift(undo);
    const env = await settingsOf(runtime, whenDone);
    sites = await openSites(whenDone, { ...env, WORDPRESS_REQUEST_SECONDS: "120" });
    bea = await sites.open("beasite", "wordpress_business");
    headers = await signIn(sites.server, "beasite@example.com");
    jobs = openSiteJobs(sites, whenDone);
  });
  afterAll(async () => {
    const staging = bea && (await findStaging(sites.server.db, bea.id));
    for (const id of [bea?.id, staging?.id]) if (id) await sites.server.wordpress.runtime.remove(id);
    for (const undo of undos) await undo();
  });

  const load = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; wp_set_current_user(1); set_time_limit(0);";
  let programs = 0;
  async function run(code: string, { onCopy = false, query = "" } = {}) {
    const staging = onCopy ? await findStaging(sites.server.db, bea.id) : undefined;
    const path = await bea.addProgram(`p${programs++}.php`, `${load} ${code}`, staging?.id);
    const answer = await bea.askAt(`${onCopy ? "staging--" : ""}beasite.localhost:3000`, path + query);
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    return answer.text;
  }
  const look = async (onCopy = false) => JSON.parse(await run(digestSite, { onCopy })) as Record<string, string>;

  /** Fails in the middle of the first attempt: while the archive is written, and after half a restore. */
  async function interrupted(path: string, payload: object) {
    const { runtime: wordpress, backups } = sites.server.wordpress;
    const { restore } = wordpress;
    const { add } = backups;
    await sites.server.db.execute(sql`delete from attempts`);
    const answer = await sites.server.app.inject({
      method: "POST",
      url: `/api/projects/${bea.id}/${path}`,
      headers,
      payload,
    });
    expect(answer.statusCode).toBe(202);
    backups.add = async (siteId, content) => {
      backups.add = add;
      return add.call(
        backups,
        siteId,
        content.map(() => {
          throw new Error("killed");
        }),
      );
    };
    await expect(jobs.work(1)).rejects.toThrow("killed");
    backups.add = add;
    wordpress.restore = async (site, backup) => {
      wordpress.restore = restore;
      await restore.call(wordpress, site, backup);
      throw new Error("killed");
    };
    await expect(jobs.work(1)).rejects.toThrow("killed");
    wordpress.restore = restore;
    await jobs.work(2);
  }

  test("is backed up, copied, pushed and restored row by row and byte by byte, with interruptions", async () => {
    const step = 250;
    for (let from = 0; from < posts; from += step)
      expect(await run(fillSite(files), { query: `?from=${from}&to=${Math.min(from + step, posts)}` })).toBe("filled");
    const first = await look();
    expect(Number(first["posts"]?.split(" ")[0])).toBeGreaterThanOrEqual(posts);
    expect(Number(first["files"]?.split(" ")[0])).toBeGreaterThanOrEqual(files);
    await backUpSite(sites.server.wordpress, bea.id);
    const [backup] = await sites.server.wordpress.backups.list(bea.id);

    await interrupted("staging", {});
    expect(await look(true)).toEqual(first);
    await run(
      "wp_insert_post(array('post_title' => 'Nueva', 'post_status' => 'publish', 'post_content' => 'Mira ' . home_url('/n')));",
      {
        onCopy: true,
      },
    );
    await run("file_put_contents(WP_CONTENT_DIR . '/uploads/new.bin', 'new');", { onCopy: true });
    const second = await look(true);
    expect(second["posts"]).not.toBe(first["posts"]);
    await interrupted("staging/push", { parts: "all" });
    expect(await look()).toEqual(second);
    await interrupted(`backups/${backup}/restore`, { parts: "all" });
    expect(await look()).toEqual(first);
  });
});
