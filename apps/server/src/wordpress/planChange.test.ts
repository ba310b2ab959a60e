import { settingsOf, testedRuntimes } from "@nido/test-kit/native";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceChange } from "../db/announceChange.ts";
import { findOwnProject, setPurchase } from "../projects/queries.ts";
import { findWordPress } from "./queries.ts";

describe.each(testedRuntimes("changes of the plan"))("another plan on the %s runtime", (runtime) => {
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

  test("is chosen by the most memory that a request has needed, which the site reports", async () => {
    const program = await ana.addProgram(
      "probe/peak.php",
      "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; echo strlen(str_repeat('x', 40 * 1048576));",
    );
    expect((await ana.ask(program)).text).toBe(String(40 * 2 ** 20));
    await eventually(async () => {
      const { memoryPeak } = (await findWordPress(sites.server.db, ana.id)) ?? {};
      expect(memoryPeak).toBeGreaterThan(40 * 2 ** 20);
      expect(memoryPeak).toBeLessThan(128 * 2 ** 20);
    });
  });

  test("changes the memory that PHP and WordPress have, without a visit that fails", async () => {
    const program = await ana.addProgram(
      "probe/memory.php",
      "require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php'; echo ini_get('memory_limit'), ' ', WP_MEMORY_LIMIT;",
    );
    expect((await ana.ask(program)).text).toBe("128M 128M");
    await sites.server.db.transaction(async (tx) => {
      const project = await findOwnProject(tx, ana.userId, ana.id);
      if (!project) throw new Error("no project");
      await setPurchase(tx, ana.id, { subId: project.subId, recipe: "wordpress_business", recipeId: project.recipeId });
      await announceChange(tx, ana.userId);
    });
    await eventually(async () => {
      const { status, text } = await ana.ask(program);
      expect(status).toBe(200);
      expect(text).toBe("512M 512M");
    });
  });
});
