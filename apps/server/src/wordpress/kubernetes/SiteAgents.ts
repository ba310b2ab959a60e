import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { readBounded } from "../../platform/readBounded.ts";
import { RuntimeFailed } from "../WordPressRuntime.ts";
import { AgentClient } from "./AgentClient.ts";
import type { ClusterSites } from "./ClusterSites.ts";
import type { SitePod } from "./SitePods.ts";

export const shortMs = 30_000;
const longMs = 30 * 60_000;
const maxJsonBytes = 2 ** 16;

/** Speaks to the agents in sites' pods, with each site's own key. */
export class SiteAgents {
  private readonly sites: ClusterSites;
  private readonly client = new AgentClient();

  constructor(sites: ClusterSites) {
    this.sites = sites;
  }

  /** Makes one of the platform's own requests, and returns the answer. */
  async manage(pod: SitePod, method: string, path: string, body?: Readable): Promise<unknown> {
    const response = await this.open(pod, method, path, body ? longMs : shortMs, body);
    return JSON.parse((await readBounded(response, maxJsonBytes)).toString());
  }

  /** The same, for an answer that is to be streamed. */
  async open(pod: SitePod, method: string, path: string, timeoutMs = longMs, body?: Readable) {
    const response = await this.send(pod, { method, path, body, timeoutMs });
    if (response.statusCode === 200) return response;
    throw new RuntimeFailed(`the agent of site ${pod.siteId} answered ${response.statusCode}: ${await text(response)}`);
  }

  async send({ siteId, address }: SitePod, call: Parameters<AgentClient["send"]>[1]): Promise<IncomingMessage> {
    const site = await this.sites.find(siteId);
    if (!site) throw new RuntimeFailed(`site ${siteId} is not on Kubernetes`);
    return this.client.send({ siteId, address, key: site.key }, call);
  }

  stop() {
    this.client.stop();
  }
}
