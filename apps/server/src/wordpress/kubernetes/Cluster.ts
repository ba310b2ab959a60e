import { setTimeout as pause } from "node:timers/promises";
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { ownerLabel, siteLabel } from "./siteObjects.ts";

const fieldManager = "nido";
const pageSize = 500;
const pollMs = 500;
const volumeKind = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
const kinds = [{ apiVersion: "apps/v1", kind: "Deployment" }, { apiVersion: "v1", kind: "Secret" }, volumeKind];

/** How to reach the cluster: by KUBECONFIG, or as a pod of it. */
export function loadKubeConfig(): KubeConfig {
  const config = new KubeConfig();
  config.loadFromDefault();
  return config;
}

/** What the platform does with a Kubernetes cluster. */
export class Cluster {
  private readonly objects: KubernetesObjectApi;
  private readonly apps: AppsV1Api;
  private readonly core: CoreV1Api;
  private readonly namespace: string;

  constructor(config: KubeConfig, namespace: string) {
    this.objects = KubernetesObjectApi.makeApiClient(config);
    this.apps = config.makeApiClient(AppsV1Api);
    this.core = config.makeApiClient(CoreV1Api);
    this.namespace = namespace;
  }

  /** Creates or changes an object (server-side apply). Fields that it does not name stay as they are. */
  async apply(object: KubernetesObject) {
    await this.objects.patch(object, undefined, undefined, fieldManager, true, PatchStrategy.ServerSideApply);
  }

  /** Creates an object unless there is one of its name. */
  async create(object: KubernetesObject) {
    await this.objects.create(object).catch((error) => {
      if (!(error instanceof ApiException && error.code === 409)) throw error;
    });
  }

  async scale(name: string, replicas: number) {
    const body = { spec: { replicas } };
    const options = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
    await this.apps.patchNamespacedDeploymentScale({ name, namespace: this.namespace, body }, options);
  }

  /** Removes the objects of this name. Resolves once none is left. */
  async remove(name: string, timeoutMs: number) {
    for (const kind of kinds) {
      const object = { ...kind, metadata: { name, namespace: this.namespace } };
      await unlessMissing(this.objects.delete(object, undefined, undefined, undefined, undefined, "Background"));
    }
    const deadline = Date.now() + timeoutMs;
    for (const kind of kinds)
      while (await this.has(kind, name)) {
        if (Date.now() > deadline) throw new Error(`the ${kind.kind} ${name} is not removed yet`);
        await pause(pollMs);
      }
  }

  /** Removes the site's volumes except one. A volume disappears once no pod has it. */
  async removeVolumes(siteId: string, spared?: string) {
    const { namespace } = this;
    const labelSelector = `${siteLabel}=${siteId}`;
    const { items } = await this.core.listNamespacedPersistentVolumeClaim({ namespace, labelSelector });
    for (const { metadata } of items)
      if (metadata?.name && metadata.name !== spared)
        await unlessMissing(this.core.deleteNamespacedPersistentVolumeClaim({ name: metadata.name, namespace }));
  }

  /**
   * Gives a volume another size. False if the cluster refuses that: none can shrink, and not every storage class lets them
   * grow.
   */
  async resizeVolume(name: string, bytes: number): Promise<boolean> {
    const body = { spec: { resources: { requests: { storage: String(bytes) } } } };
    const options = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
    const patched = this.core.patchNamespacedPersistentVolumeClaim({ name, namespace: this.namespace, body }, options);
    return patched.then(
      () => true,
      (error) => {
        // A used-up quota is 403, too.
        const isRefused = error instanceof ApiException && (error.code === 422 || error.code === 403);
        if (isRefused && (error.code === 422 || /resize/i.test(error.message))) return false;
        throw error;
      },
    );
  }

  /** The names of all objects of a kind that belong to sites. */
  async list(kind: (typeof kinds)[number]["kind"]): Promise<Set<string>> {
    const { apiVersion = "" } = kinds.find((known) => known.kind === kind) ?? {};
    const selector = Object.entries(ownerLabel).map(([name, value]) => `${name}=${value}`);
    const names = new Set<string>();
    for (let next: string | undefined, isFirst = true; isFirst || next; isFirst = false) {
      const { items, metadata } = await this.objects.list(
        apiVersion,
        kind,
        this.namespace,
        undefined,
        undefined,
        undefined,
        undefined,
        selector.join(),
        pageSize,
        next,
      );
      for (const item of items) if (item.metadata?.name) names.add(item.metadata.name);
      next = metadata?._continue;
    }
    return names;
  }

  /** Deletes a pod without waiting for its node, which may never answer. */
  async forceDelete(pod: string) {
    await unlessMissing(this.core.deleteNamespacedPod({ name: pod, namespace: this.namespace, gracePeriodSeconds: 0 }));
  }

  /** The names of nodes that the control plane has not heard from. */
  async findLostNodes(): Promise<Set<string>> {
    const { items } = await this.core.listNode();
    const lost = items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "Unknown"),
    );
    return new Set(lost.map(({ metadata }) => metadata?.name ?? ""));
  }

  hasVolume(name: string): Promise<boolean> {
    return this.has(volumeKind, name);
  }

  private async has({ apiVersion, kind }: { apiVersion: string; kind: string }, name: string): Promise<boolean> {
    const object = { apiVersion, kind, metadata: { name, namespace: this.namespace } };
    return (await unlessMissing(this.objects.read(object))) !== undefined;
  }
}

async function unlessMissing<Result>(call: Promise<Result>): Promise<Result | undefined> {
  return call.catch((error) => {
    if (error instanceof ApiException && error.code === 404) return undefined;
    throw error;
  });
}
