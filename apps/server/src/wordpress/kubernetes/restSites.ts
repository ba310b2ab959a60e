import { findIdle } from "../dueSites.ts";
import type { WordPress } from "../WordPress.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";

/** Lets sites sleep that were not in use for a while. Only the sites that are awake are looked at. */
export async function restSites({ db, log }: WordPress, runtime: KubernetesRuntime, idleMinutes: number) {
  await runtime.pods.start();
  const awake = new Set(runtime.pods.all().map(({ siteId }) => siteId));
  for (const id of await findIdle(db, [...awake], idleMinutes))
    await runtime.stopSite(id).catch((error) => log.warn({ err: error, project: id }, "could not let a site sleep"));
}
