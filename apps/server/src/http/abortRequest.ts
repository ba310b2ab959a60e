import type { IncomingMessage } from "node:http";
import { constants, type Http2ServerRequest } from "node:http2";

/** Ends a request whose body takes too long. Destroying an HTTP/2 request would not end its stream. */
export function abortRequest(raw: IncomingMessage | Http2ServerRequest) {
  if ("stream" in raw) raw.stream.close(constants.NGHTTP2_CANCEL);
  else raw.destroy();
}
