import type { ServerResponse } from "node:http";
import type { RequestSource } from "@nido/contract";

/** Not a header: a site's own code could set that one. */
const sources = new WeakMap<ServerResponse, RequestSource>();

/** Notes where a response comes from, for the log of requests. */
export function noteSource(response: ServerResponse, source: RequestSource) {
  sources.set(response, source);
}

export function sourceOf(response: ServerResponse): RequestSource {
  return sources.get(response) ?? "none";
}
