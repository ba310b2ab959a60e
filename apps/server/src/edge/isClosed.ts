import type { ServerResponse } from "node:http";
import type { Http2Stream } from "node:http2";

/** Whether the visitor has left, over HTTP/1.1 or HTTP/2. */
export function isClosed(response: ServerResponse): boolean {
  const { stream } = response as { stream?: Http2Stream };
  return stream ? stream.destroyed : response.destroyed;
}
