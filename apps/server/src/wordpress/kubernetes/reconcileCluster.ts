import { and, eq, inArray } from "drizzle-orm";
import { projects, wordpressSites } from "../../db/schema.ts";
import { findSites } from "../queries.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { KubernetesRuntime } from "./KubernetesRuntime.ts";
import { objectName } from "./siteObjects.ts";

const batchSize = 500;

/**
 * Compares the sites in the database with the objects in the cluster. A missing deployment is created again. What
 * cannot be repaired without losing data is reported: a missing volume, and objects that no site in the database has.
 */
export async function reconcileCluster(wordpress: WordPress, runtime: KubernetesRuntime) {
  const { db, log } = wordpress;
  for (const id of await runtime.sites.encryptAgain())
    log.error({ project: id }, "the secrets of a site cannot be decrypted, because ENCRYPTION_KEY has changed");
  const deployments = await runtime.cluster.list("Deployment");
  const volumes = await runtime.cluster.list("PersistentVolumeClaim");
  const known = new Set<string>();
  const installed = await runtime.sites.listInstalled();
  const volumeOf = new Map(installed.map(({ id, volume }) => [id, volume ?? objectName(id)]));
  const ids = [...volumeOf.keys()];
  for (let start = 0; start < ids.length; start += batchSize) {
    const batch = ids.slice(start, start + batchSize);
    for (const id of batch) known.add(objectName(id)).add(volumeOf.get(id) ?? "");
    for (const row of await findSites(db, and(inArray(projects.id, batch), eq(wordpressSites.runtime, runtime.name)))) {
      const name = objectName(row.id);
      if (!volumes.has(volumeOf.get(row.id) ?? name))
        log.error({ project: row.id }, `a site has no volume; restore it: npm run sites -- restore ${row.name}`);
      else if (!deployments.has(name)) {
        await runtime.podManager.repair(siteOf(wordpress, row)).then(
          () => log.warn({ project: row.id }, "created the missing deployment of a site"),
          (error) => log.error({ err: error, project: row.id }, "could not create the missing deployment of a site"),
        );
      }
    }
  }
  for (const name of new Set([...deployments, ...volumes]))
    if (!known.has(name) && !(await runtime.sites.find(name.replace(/^site-([0-9a-f-]{36}).*/, "$1"))))
      log.error(
        { name },
        "the cluster has objects of a site that is not in the database; remove them if you do not need them",
      );
}
