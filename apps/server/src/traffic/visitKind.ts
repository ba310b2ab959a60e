import type { IncomingHttpHeaders } from "node:http";
import { ownCopy } from "../platform/ownCopy.ts";

/** What a request's header fields say about the visit. */
export interface VisitKind {
  isBot: boolean;
  /** The visitor opens a page, not a part of one. */
  isDocument: boolean;
  /** They come from elsewhere: a search, another site, the address bar. */
  isArrival: boolean;
}

const bots =
  /bot|crawl|spider|slurp|archiver|facebookexternalhit|preview|monitor|uptime|headless|curl|wget|python|java\/|go-http|okhttp|axios|node-fetch|undici|libwww|scrapy|lighthouse/i;
const maxKnownAgents = 2000;
const knownAgents = new Map<string, boolean>();

export function visitKind(headers: IncomingHttpHeaders): VisitKind {
  const { "user-agent": agent = "", "sec-fetch-dest": destination, accept = "", referer, host = "" } = headers;
  return {
    isBot: isBot(agent),
    isDocument: destination === undefined ? accept.includes("text/html") : destination === "document",
    isArrival: referer === undefined || !isOf(referer, host),
  };
}

/** Whether a program made the request. A browser always names itself. */
function isBot(agent: string): boolean {
  const known = knownAgents.get(agent);
  if (known !== undefined) return known;
  const isIt = agent === "" || bots.test(agent.slice(0, 300));
  // Visitors choose their agent, so the memory is bounded.
  if (knownAgents.size >= maxKnownAgents) knownAgents.clear();
  if (agent.length <= 300) knownAgents.set(ownCopy(agent), isIt);
  return isIt;
}

/** Compares without parsing: `https://host/…` */
function isOf(referer: string, host: string): boolean {
  const start = referer.indexOf("//") + 2;
  return (
    referer.startsWith(host, start) && (referer.length === start + host.length || referer[start + host.length] === "/")
  );
}
