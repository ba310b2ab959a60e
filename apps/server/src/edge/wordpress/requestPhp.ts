import { pipeline, type Readable, Transform } from "node:stream";
import type { Site, SiteRequest, SiteResponse, WordPressRuntime } from "../../wordpress/WordPressRuntime.ts";
import { headersForPhp } from "./headers.ts";
import type { Visit } from "./Visit.ts";

export const maxUploadBytes = 66 * 2 ** 20;

/** The PHP script that handles a visit, with its server variables. */
export type PhpCall = Pick<SiteRequest, "script" | "server">;

/** Runs PHP for the visitor's own request. */
export function requestPhp(runtime: WordPressRuntime, site: Site, visit: Visit, call: PhpCall): Promise<SiteResponse> {
  const { request, visitor } = visit;
  const { method = "GET", url = "/" } = request;
  const body = method === "GET" || method === "HEAD" || request.readableEnded ? undefined : limited(request);
  const headers = { ...headersForPhp(request.headers), host: new URL(site.url).host };
  if (!body) {
    delete headers["content-length"];
    delete headers["content-type"];
  }
  return runtime.answer(site, { method, url, headers, body, visitor, ...call });
}

/** Runs PHP for a page that all visitors will share: without cookies and without campaign parameters in the query. */
export function requestSharedPage(
  runtime: WordPressRuntime,
  site: Site,
  { request, visitor }: Visit,
  call: PhpCall,
): Promise<SiteResponse> {
  const [url = "/"] = (request.url ?? "/").split("?", 1);
  const { cookie: _, "content-length": __, "content-type": ___, ...headers } = headersForPhp(request.headers);
  return runtime.answer(site, {
    method: "GET",
    url,
    headers: { ...headers, host: new URL(site.url).host },
    visitor,
    ...call,
  });
}

/** Enforces the upload limit, whatever Content-Length says. */
function limited(body: Readable): Readable {
  let size = 0;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length;
      done(size > maxUploadBytes ? new Error(`the upload is larger than ${maxUploadBytes} bytes`) : null, chunk);
    },
  });
  pipeline(body, counter, () => undefined);
  return counter;
}
