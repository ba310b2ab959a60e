import { CoreV1Api, type Informer, type KubeConfig, makeInformer, type V1Pod } from "@kubernetes/client-node";
import type { FastifyBaseLogger } from "fastify";
import { secretsAnnotation, siteLabel, specAnnotation } from "./siteObjects.ts";

export interface SitePod {
  siteId: string;
  name: string;
  address: string;
  node: string;
  spec: string;
  secrets: number;
  /** in milliseconds since 1970 */
  createdAt: number;
  isReady: boolean;
  /** It has ended, or the cluster has been told to remove it. */
  isEnding: boolean;
  /** why it does not start, if the cluster says so */
  problem: string | undefined;
}

const retryMs = 1000;

/** The pods of all sites, kept up to date by a watch, so that a request needs no call to the cluster's API. */
export class SitePods {
  private readonly pods = new Map<string, Map<string, SitePod>>();
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly informer: Informer<V1Pod>;
  private isStopped = false;
  private started: Promise<void> | undefined;

  constructor(config: KubeConfig, namespace: string, log: FastifyBaseLogger) {
    const api = config.makeApiClient(CoreV1Api);
    const labelSelector = siteLabel;
    this.informer = makeInformer(
      config,
      `/api/v1/namespaces/${namespace}/pods`,
      () => api.listNamespacedPod({ namespace, labelSelector }),
      labelSelector,
    );
    this.informer.on("add", (pod) => this.store(pod));
    this.informer.on("update", (pod) => this.store(pod));
    this.informer.on("delete", (pod) => this.forget(pod));
    this.informer.on("error", (error) => {
      if (this.isStopped) return;
      log.warn({ err: error }, "lost the watch of the sites' pods; starting it again");
      this.restart();
    });
  }

  /** Until the cluster's API answers again, the pods are those that were last known. */
  private restart() {
    setTimeout(() => {
      if (!this.isStopped) this.informer.start().catch(() => this.restart());
    }, retryMs).unref();
  }

  start(): Promise<void> {
    this.started ??= this.informer.start().catch((error) => {
      this.started = undefined;
      throw error;
    });
    return this.started;
  }

  async stop() {
    this.isStopped = true;
    await this.informer.stop();
  }

  of(siteId: string): SitePod[] {
    return [...(this.pods.get(siteId)?.values() ?? [])];
  }

  all(): SitePod[] {
    return [...this.pods.values()].flatMap((pods) => [...pods.values()]);
  }

  /** Waits until a pod of the site fits; rejects after the time limit, with what the cluster says about its pods. */
  async waitFor(siteId: string, fits: (pod: SitePod) => boolean, timeoutMs: number): Promise<SitePod> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = this.of(siteId).find(fits);
      if (found) return found;
      if (Date.now() >= deadline) {
        const problems = this.of(siteId).map(({ problem }) => problem ?? "it has not become ready");
        throw new Error(`no pod of site ${siteId} is ready: ${problems.join(", ") || "the cluster has started none"}`);
      }
      await this.change(siteId, deadline - Date.now());
    }
  }

  async waitForNone(siteId: string, timeoutMs: number) {
    const deadline = Date.now() + timeoutMs;
    while (this.of(siteId).length > 0) {
      if (Date.now() >= deadline) throw new Error(`the pods of site ${siteId} do not end`);
      await this.change(siteId, deadline - Date.now());
    }
  }

  private change(siteId: string, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.waiting.get(siteId) ?? new Set();
      this.waiting.set(siteId, waiters);
      const done = () => {
        clearTimeout(timer);
        waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      waiters.add(done);
    });
  }

  private store(pod: V1Pod) {
    const siteId = pod.metadata?.labels?.[siteLabel];
    const name = pod.metadata?.name;
    if (!siteId || !name) return;
    const pods = this.pods.get(siteId) ?? new Map<string, SitePod>();
    this.pods.set(siteId, pods);
    pods.set(name, present(siteId, name, pod));
    this.announce(siteId);
  }

  private forget(pod: V1Pod) {
    const siteId = pod.metadata?.labels?.[siteLabel] ?? "";
    const pods = this.pods.get(siteId);
    pods?.delete(pod.metadata?.name ?? "");
    if (pods?.size === 0) this.pods.delete(siteId);
    this.announce(siteId);
  }

  private announce(siteId: string) {
    for (const done of [...(this.waiting.get(siteId) ?? [])]) done();
    if (this.waiting.get(siteId)?.size === 0) this.waiting.delete(siteId);
  }
}

function present(siteId: string, name: string, { metadata, spec, status }: V1Pod): SitePod {
  const conditions = status?.conditions ?? [];
  const isReady = conditions.some(({ type, status: value }) => type === "Ready" && value === "True");
  const unscheduled = conditions.find(({ type, status: value }) => type === "PodScheduled" && value === "False");
  const waiting = (status?.containerStatuses ?? []).flatMap(({ state }) => state?.waiting ?? []);
  const [stuck] = waiting.filter(({ reason }) => reason && !["ContainerCreating", "PodInitializing"].includes(reason));
  return {
    siteId,
    name,
    address: status?.podIP ?? "",
    node: spec?.nodeName ?? "",
    spec: metadata?.annotations?.[specAnnotation] ?? "",
    secrets: Number(metadata?.annotations?.[secretsAnnotation]),
    isReady: isReady && metadata?.deletionTimestamp === undefined,
    createdAt: new Date(metadata?.creationTimestamp ?? 0).getTime(),
    isEnding: metadata?.deletionTimestamp !== undefined || ["Failed", "Succeeded"].includes(status?.phase ?? ""),
    problem: unscheduled?.message ?? (stuck && [stuck.reason, stuck.message].filter(Boolean).join(": ")),
  };
}
