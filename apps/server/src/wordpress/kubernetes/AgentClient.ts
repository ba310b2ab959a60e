import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, request as send } from "node:https";
import { pipeline, type Readable } from "node:stream";
import { LRUCache } from "lru-cache";
import { agentPort, pskOptions } from "./agentProtocol.ts";

/** A pod, and the key that its agent has. */
export interface Target {
  siteId: string;
  address: string;
  key: Buffer;
}

interface Call {
  method: string;
  path: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: Readable | undefined;
  timeoutMs: number;
}

const maxAgents = 5000;
const idleMs = 30_000;

/** Sends requests to the agents of sites. A connection is only ever used for the site that it was opened for. */
export class AgentClient {
  private readonly agents = new LRUCache<string, Agent>({ max: maxAgents });

  /** Resolves with the response's head; rejects if the agent cannot be reached or does not prove that it has the key. */
  async send(
    { siteId, address, key }: Target,
    { method, path, headers, body, timeoutMs }: Call,
  ): Promise<IncomingMessage> {
    const request = send({
      agent: this.agentOf(siteId, address, key),
      host: address,
      port: agentPort,
      method,
      path,
      headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([, value]) => value !== undefined)),
      timeout: timeoutMs,
    });
    request.on("timeout", () => request.destroy(new Error(`the agent of site ${siteId} did not answer in time`)));
    if (body) pipeline(body, request, () => undefined);
    else request.end();
    try {
      const [response] = await once(request, "response");
      request.on("error", () => undefined); // the response reports it
      return response;
    } catch (error) {
      request.destroy();
      throw error;
    }
  }

  stop() {
    for (const agent of this.agents.values()) agent.destroy();
    this.agents.clear();
  }

  private agentOf(siteId: string, address: string, key: Buffer): Agent {
    const id = `${siteId} ${address} ${key.toString("base64")}`;
    const agent =
      this.agents.get(id) ??
      new Agent({
        ...pskOptions,
        pskCallback: () => ({ psk: key, identity: siteId }),
        checkServerIdentity: () => undefined, // the key proves it
        keepAlive: true,
        timeout: idleMs,
        maxCachedSessions: 0,
      });
    this.agents.set(id, agent);
    return agent;
  }
}
