import { pipeline, Readable } from "node:stream";
import { clientAddress } from "../../http/clientAddress.ts";
import { readBounded } from "../../platform/readBounded.ts";
import type { WordPress } from "../../wordpress/WordPress.ts";
import type { Site, SiteRequest, SiteResponse } from "../../wordpress/WordPressRuntime.ts";
import { headersForPhp } from "./headers.ts";
import type { UploadBudget } from "./UploadBudget.ts";
import type { Visit } from "./Visit.ts";

/** The PHP script that handles a visit, with its server variables. */
export type PhpCall = Pick<SiteRequest, "script" | "server">;

type Answer<Call, Response> = (site: Site, request: Omit<SiteRequest, "script" | "server"> & Call) => Promise<Response>;

/** Makes the visitor's own request. `body`: if it was read before */
export async function requestPhp<Call, Response>(
  answer: Answer<Call, Response>,
  uploads: UploadBudget,
  site: Site,
  visit: Visit,
  call: Call,
  body?: Buffer,
): Promise<Response> {
  const { request, visitor, owner } = visit;
  const { method = "GET", url = "/" } = request;
  const headers = { ...headersForPhp(request.headers), host: new URL(site.url).host };
  if (body) return answer(site, { method, url, headers, body: Readable.from([body]), visitor, ...call });
  if (method === "GET" || method === "HEAD" || request.readableEnded) {
    delete headers["content-length"];
    delete headers["content-type"];
    return answer(site, { method, url, headers, visitor, ...call });
  }
  const { counter, release } = uploads.open({ owner, address: clientAddress(visitor) });
  pipeline(request, counter, () => undefined);
  try {
    return await answer(site, { method, url, headers, body: counter, visitor, ...call });
  } finally {
    release();
  }
}

/** Reads the body of a request that may be repeated. It counts as held until it is released. */
export async function readBody(
  uploads: UploadBudget,
  { request, visitor, owner }: Visit,
  maxBytes: number,
): Promise<{ body?: Buffer; release(): void }> {
  if (request.method !== "POST") return { release: () => undefined };
  const { counter, release } = uploads.open({ owner, address: clientAddress(visitor) });
  pipeline(request, counter, () => undefined);
  try {
    return { body: await readBounded(counter, maxBytes), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Runs PHP for a page that all visitors will share: without the request's cookies, conditions and campaign parameters. */
export function requestSharedPage(
  answer: WordPress["answer"],
  site: Site,
  { request, visitor }: Visit,
  call: PhpCall,
): Promise<SiteResponse> {
  const [url = "/"] = (request.url ?? "/").split("?", 1);
  const {
    cookie,
    "content-length": length,
    "content-type": type,
    "if-modified-since": since,
    ...headers
  } = headersForPhp(request.headers);
  return answer(site, {
    method: "GET",
    url,
    headers: { ...headers, host: new URL(site.url).host },
    visitor,
    ...call,
  });
}
