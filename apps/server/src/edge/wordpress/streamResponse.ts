import { pipeline } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import type { SiteResponse } from "../../wordpress/WordPressRuntime.ts";
import { noteSource } from "../requestSource.ts";
import { headersForVisitor } from "./headers.ts";
import { encodingFor } from "./sendPage.ts";
import type { Visit } from "./Visit.ts";

export const textTypes = /^(text\/|application\/(json|xml|rss\+xml|atom\+xml|javascript|xhtml\+xml)|image\/svg\+xml)/;

/** Streams PHP's response to this visitor alone. */
export async function streamResponse({ request, response }: Visit, answer: SiteResponse) {
  const headers = headersForVisitor(answer.headers);
  const isText = textTypes.test(String(headers["content-type"])) && !headers["content-encoding"];
  const encoding =
    isText && answer.status !== 304 && request.method !== "HEAD" ? encodingFor(request.headers) : undefined;
  if (encoding) {
    headers["content-encoding"] = encoding;
    headers["vary"] = "accept-encoding";
  }
  noteSource(response, "pass");
  response.writeHead(answer.status, { ...headers, "x-cache": "pass" });
  await new Promise<void>((resolve) => {
    if (encoding) pipeline(answer.body, compressor(encoding), response, () => resolve());
    else pipeline(answer.body, response, () => resolve());
  });
}

/** Faster qualities than for cached pages, because this response is sent once. */
function compressor(encoding: "br" | "gzip") {
  return encoding === "br"
    ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
    : createGzip({ level: 5 });
}
