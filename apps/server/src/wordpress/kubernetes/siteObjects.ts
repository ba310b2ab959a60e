import { createHash } from "node:crypto";
import type { KubernetesObject, V1Deployment, V1PersistentVolumeClaim, V1Secret } from "@kubernetes/client-node";
import { resourcesOf } from "@nido/contract";
import { fpmConfig } from "../native/fpmConfig.ts";
import { siteLimits } from "../native/siteLimits.ts";
import type { Site } from "../WordPressRuntime.ts";
import { agentPort, inPod } from "./agentProtocol.ts";
import type { ClusterSite } from "./ClusterSites.ts";

export interface ClusterOptions {
  namespace: string;
  /** the image of the sites, without its tag: that is the WordPress version */
  image: string;
  storageClass: string | undefined;
  /** for stronger isolation, such as gVisor or Kata Containers */
  runtimeClass: string | undefined;
}

export const ownerLabel = { "app.kubernetes.io/managed-by": "nido" };
export const siteLabel = "nido.dev/site";
/** A digest of what the pod was made from. */
export const specAnnotation = "nido.dev/spec";
/** Which version of the site's secrets the pod has. */
export const secretsAnnotation = "nido.dev/secrets";

const userId = 10_001;
/** how long requests get to finish when a pod ends */
const stopSeconds = 25;
const mebibyte = 2 ** 20;
const gibibyte = 2 ** 30;
const agentMemory = { requests: "48Mi", limits: "192Mi" };

export function objectName(siteId: string): string {
  return `site-${siteId}`;
}

export function volumeName(siteId: string, { volume }: Pick<ClusterSite, "volume">): string {
  return volume ?? objectName(siteId);
}

/** The objects of a site, except its volume. The number of replicas is not set here: it changes when the site is woken or put to sleep. */
export function siteObjects(site: Site, secrets: ClusterSite, options: ClusterOptions): KubernetesObject[] {
  const settings = {
    content: `${inPod.site}/wp-content`,
    state: `${inPod.site}/state`,
    mail: `${inPod.site}/mail`,
    database: secrets.database,
    secrets: secrets.wordpress,
  };
  const metadata = metadataOf(site, options);
  const secret: V1Secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    stringData: {
      "site.json": JSON.stringify(settings),
      "fpm.conf": fpmConfig({ site: "/", socket: inPod.phpSocket, recipe: site.recipe, stopSeconds }),
      key: `${site.id} ${secrets.key.toString("base64url")}`,
    },
  };
  return [secret, deployment(site, secrets, options, metadata)];
}

export function siteVolume(site: Site, secrets: ClusterSite, options: ClusterOptions): V1PersistentVolumeClaim {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { ...metadataOf(site, options), name: volumeName(site.id, secrets) },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: String(resourcesOf(site.recipe).disk) } },
      ...(options.storageClass && { storageClassName: options.storageClass }),
    },
  };
}

function metadataOf({ id }: Site, { namespace }: ClusterOptions) {
  return { name: objectName(id), namespace, labels: { ...ownerLabel, [siteLabel]: id } };
}

/** Two pods of a site are equivalent if this value is the same. */
export function specOf({ core, recipe }: Site, { version, volume }: ClusterSite, { image }: ClusterOptions): string {
  return createHash("sha256")
    .update(JSON.stringify([image, core, recipe, version, ...(volume ? [volume] : [])]))
    .digest("hex")
    .slice(0, 16);
}

function deployment(
  site: Site,
  secrets: ClusterSite,
  options: ClusterOptions,
  metadata: ReturnType<typeof metadataOf>,
): V1Deployment {
  const { group } = siteLimits(site.recipe);
  const { disk } = resourcesOf(site.recipe);
  const image = `${options.image}:${site.core}`;
  const restricted = {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  };
  const shared = [
    { name: "site", mountPath: inPod.site },
    { name: "settings", mountPath: "/run/nido/settings", readOnly: true },
    { name: "sockets", mountPath: inPod.sockets },
  ];
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      // Two pods must never hold one volume.
      strategy: { type: "Recreate" },
      revisionHistoryLimit: 0,
      selector: { matchLabels: { [siteLabel]: site.id } },
      template: {
        metadata: {
          labels: { ...ownerLabel, [siteLabel]: site.id },
          annotations: {
            [specAnnotation]: specOf(site, secrets, options),
            [secretsAnnotation]: String(secrets.version),
          },
        },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 30,
          ...(options.runtimeClass && { runtimeClassName: options.runtimeClass }),
          securityContext: {
            runAsNonRoot: true,
            runAsUser: userId,
            runAsGroup: userId,
            fsGroup: userId,
            fsGroupChangePolicy: "OnRootMismatch",
            seccompProfile: { type: "RuntimeDefault" },
          },
          // If a node is lost, the worker moves its sites: only it can fence them first.
          tolerations: ["not-ready", "unreachable"].map((state) => ({
            key: `node.kubernetes.io/${state}`,
            operator: "Exists",
            effect: "NoExecute",
          })),
          containers: [
            {
              name: "php",
              image,
              command: ["php-fpm", "--nodaemonize", "--fpm-config", inPod.fpmConfig],
              securityContext: restricted,
              resources: {
                requests: {
                  memory: `${Math.round(group.memory / mebibyte / 4)}Mi`,
                  cpu: `${Math.round(group.cpuWeight / 5)}m`,
                  "ephemeral-storage": "64Mi",
                },
                limits: { memory: `${Math.round(group.memory / mebibyte)}Mi`, "ephemeral-storage": "1Gi" },
              },
              // SIGTERM, which the cluster sends otherwise, would cut off requests.
              lifecycle: {
                preStop: { exec: { command: ["sh", "-c", "kill -QUIT 1; while kill -0 1; do sleep 0.2; done"] } },
              },
              volumeMounts: [...shared, { name: "php-tmp", mountPath: inPod.tmp }],
            },
            {
              name: "agent",
              image,
              command: ["node", "/opt/nido/agent.mjs"],
              securityContext: restricted,
              ports: [{ containerPort: agentPort }],
              readinessProbe: { tcpSocket: { port: agentPort }, periodSeconds: 1, failureThreshold: 3 },
              resources: {
                requests: { memory: agentMemory.requests, cpu: "5m", "ephemeral-storage": "64Mi" },
                // room for a copy of the database while it is backed up
                limits: { memory: agentMemory.limits, "ephemeral-storage": String(disk + gibibyte) },
              },
              volumeMounts: [
                ...shared,
                { name: "agent-tmp", mountPath: inPod.tmp },
                { name: "key", mountPath: "/run/nido/agent", readOnly: true },
              ],
            },
          ],
          volumes: [
            { name: "site", persistentVolumeClaim: { claimName: volumeName(site.id, secrets) } },
            {
              name: "settings",
              secret: {
                secretName: objectName(site.id),
                items: ["site.json", "fpm.conf"].map((name) => ({ key: name, path: name })),
              },
            },
            { name: "key", secret: { secretName: objectName(site.id), items: [{ key: "key", path: "key" }] } },
            { name: "sockets", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
            { name: "php-tmp", emptyDir: {} },
            { name: "agent-tmp", emptyDir: {} },
          ],
        },
      },
    },
  };
}
