import { findWordPress } from "../queries.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";

const lanes = 10;

/** Moves sites away from nodes that the cluster has lost, a few at a time. */
export async function moveLostSites(wordpress: WordPress, runtime: KubernetesRuntime) {
  const waiting = [...(await runtime.podManager.findLost())];
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [id, pods] = next;
      const row = await findWordPress(wordpress.db, id);
      if (!row || row.archivedAt || row.runtime !== runtime.name) continue;
      await runtime.podManager.takeOver(siteOf(wordpress, row), pods).then(
        () => wordpress.log.warn({ project: id }, "moved a site away from a node that the cluster has lost"),
        (error) => wordpress.log.error({ err: error, project: id }, "could not move a site away from a lost node"),
      );
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
}
