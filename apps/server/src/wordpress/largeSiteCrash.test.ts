import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { digestSite, fillSite } from "@nido/test-kit/largeSite";
import { testLong } from "@nido/test-kit/long";
import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { ended, settings, signIn, start } from "@nido/test-kit/product";
import { openSeed } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { waitUntil } from "@nido/test-kit/waitUntil";
import { describe, expect, onTestFinished } from "vitest";
import { siteFolder } from "./siteFolder.ts";

const posts = 600;
const files = 240;
/** After an operation has begun, in milliseconds: while the archive is written, and while the site is replaced. */
const kills = [400, 1500, 3000];

describe.each(testedRuntimes("kill -9"))("on the %s runtime", (runtime) => {
  testLong("copying, pushing and restoring a site survive kill -9, and what results is exact", async () => {
    const { env, port, origin } = await settings();
    const all = { ...env, ...(await settingsOf(runtime, onTestFinished)), WORDPRESS_REQUEST_SECONDS: "120" };
    const { DATA_DIR: dataDir } = all;
    let nido = await start({ env: all });
    const seed = await openSeed(
      `postgres://nido@/nido?host=${encodeURIComponent(join(dataDir, "run"))}`,
      "demo@nido.example",
    );
    onTestFinished(() => seed.close());
    await seed.makeWordPress("bigsite", "wordpress_business");
    const headers = { cookie: await signIn(origin), origin, "content-type": "application/json" };
    const state = async () => {
      const { projects } = await (await fetch(`${origin}/redux`, { headers })).json();
      const [[id, project]] = Object.entries(projects) as [[string, { work?: object; staging?: { id: string } }]];
      return { id, work: project.work, staging: project.staging?.id };
    };
    const { id } = await state();

    let programs = 0;
    async function run(code: string, { onCopy = false, query = "" } = {}) {
      const site = onCopy ? ((await state()).staging ?? "") : id;
      const name = `plugins/p${programs++}.php`;
      const load = "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; wp_set_current_user(1); set_time_limit(0);";
      // WP-Cron would change what this hook adds to new posts.
      const quiet = "remove_action('publish_post', '_publish_post_hook', 5);";
      writeFileSync(join(siteFolder(dataDir, site).content, name), `<?php ${load} ${quiet} ${code}`);
      const host = `${onCopy ? "staging--" : ""}bigsite.localhost:${port}`;
      const answer = await ask(`127.0.0.1:${port}`, host, `/wp-content/${name}${query}`);
      expect(answer.status, answer.text.slice(0, 300)).toBe(200);
      return answer.text;
    }
    const look = async (onCopy = false) => JSON.parse(await run(digestSite, { onCopy })) as Record<string, string>;

    let interrupted = 0;
    /** Begins something, and kills the product several times until it is done. */
    async function survive(path: string, payload: object) {
      const init = { method: "POST", headers, body: JSON.stringify(payload) };
      expect((await fetch(`${origin}/api/projects/${id}/${path}`, init)).status).toBe(202);
      for (const delay of kills) {
        await pause(delay);
        if ((await state()).work) interrupted++;
        nido.child.kill("SIGKILL");
        await ended(nido.child);
        nido = await start({ env: all });
      }
      const { work } = await waitUntil(`${path} is done`, state, (seen) => !seen.work || "has_failed" in seen.work, {
        stallMs: 300_000,
      });
      expect(work).toBeUndefined();
    }

    for (let from = 0; from < posts; from += 100)
      expect(await run(fillSite(files), { query: `?from=${from}&to=${from + 100}` })).toBe("filled");
    await survive("backups", { note: "first" });
    const first = await look();
    const { backups } = await (await fetch(`${origin}/api/projects/${id}/backups`, { headers })).json();
    const { name } = backups.find(({ note }: { note: string }) => note === "first");

    await survive("staging", {});
    expect(await look(true)).toEqual(first);
    await run(
      "wp_insert_post(array('post_title' => 'Nueva', 'post_status' => 'publish', 'post_content' => 'A link: ' . home_url('/n')));",
      {
        onCopy: true,
      },
    );
    const second = await look(true);
    expect(second["posts"]).not.toBe(first["posts"]);
    await survive("staging/push", { parts: "all" });
    expect(await look()).toEqual(second);
    await survive(`backups/${name}/restore`, { parts: "all" });
    expect(await look()).toEqual(first);
    await run("wp_insert_post(array('post_title' => 'Otra', 'post_status' => 'publish'));", { onCopy: true });
    await survive("staging/push", { parts: "database", tables: ["wp_posts", "wp_postmeta"] });
    expect((await look())["posts"]).toBe((await look(true))["posts"]);
    expect(interrupted).toBeGreaterThanOrEqual(kills.length);
  });
});
