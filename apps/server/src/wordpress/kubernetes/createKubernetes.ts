import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../config/parseConfig.ts";
import type { Db } from "../../db/connect.ts";
import type { Bucket } from "../../platform/Bucket.ts";
import { SecretBox } from "../../platform/SecretBox.ts";
import { ImageCores } from "../core/ImageCores.ts";
import type { RuntimeOptions } from "../WordPressRuntime.ts";
import { loadKubeConfig } from "./Cluster.ts";
import { ClusterSites } from "./ClusterSites.ts";
import { KubernetesRuntime } from "./KubernetesRuntime.ts";
import { MariaDbServers } from "./MariaDbServers.ts";

interface Shared extends Pick<RuntimeOptions, "requestSeconds" | "mayStart"> {
  bucket: Bucket | undefined;
  log: FastifyBaseLogger;
}

/** The runtime of WORDPRESS_RUNTIME=kubernetes. `parseConfig` has checked that its settings are there. */
export function createKubernetes(db: Db, settings: Config, { requestSeconds, mayStart, bucket, log }: Shared) {
  const [, image = "", version = ""] = /^(.*):([^:]+)$/.exec(settings.WORDPRESS_IMAGE ?? "") ?? [];
  return new KubernetesRuntime({
    config: loadKubeConfig(),
    cluster: {
      namespace: settings.KUBERNETES_NAMESPACE,
      image,
      storageClass: settings.KUBERNETES_STORAGE_CLASS,
      runtimeClass: settings.KUBERNETES_RUNTIME_CLASS,
    },
    sites: new ClusterSites(db, new SecretBox(settings.ENCRYPTION_KEY ?? [])),
    mariadb: new MariaDbServers(settings.MARIADB_URLS ?? []),
    bucket: bucket as Bucket,
    cores: new ImageCores(image, version),
    requestSeconds,
    mayStart,
    log,
  });
}
