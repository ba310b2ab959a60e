import { findIdle } from "../dueSites.ts";
import type { WordPress } from "../WordPress.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";

/**
 * Lets sites sleep that were not in use for a while, unless a job works on them. Only the sites that are awake are looked
 * at.
 */
export async function restSites(
  { db, log }: WordPress,
  runtime: KubernetesRuntime,
  { idleMinutes, isFree }: { idleMinutes: number; isFree: (siteId: string) => Promise<boolean> },
) {
  await runtime.pods.start();
  // A backup or a restore also wakes a site, and needs some time.
  const latest = Date.now() - idleMinutes * 60_000;
  const old = runtime.pods.all().filter(({ createdAt }) => createdAt < latest);
  const awake = new Set(old.map(({ siteId }) => siteId));
  for (const id of await findIdle(db, [...awake], idleMinutes))
    if (await isFree(id))
      await runtime.podManager
        .rest(id)
        .catch((error) => log.warn({ err: error, project: id }, "could not let a site sleep"));
}
