import type { ServerResponse } from "node:http";

/** Calls `onEnd` with the size of the response's body when the response is over. */
export function countBytes(response: ServerResponse, onEnd: (bytes: number) => void) {
  let bytes = 0;
  let isEnding = false;
  const { write, end } = response;
  const count = (chunk: unknown) => {
    if (typeof chunk === "string") bytes += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) bytes += chunk.byteLength;
  };
  response.write = (...given: unknown[]) => {
    // Over HTTP/2, `end` calls `write`.
    if (!isEnding) count(given[0]);
    return write.apply(response, given as Parameters<typeof write>);
  };
  response.end = (...given: unknown[]) => {
    count(given[0]);
    isEnding = true;
    return end.apply(response, given as Parameters<typeof end>);
  };
  response.once("close", () => onEnd(bytes));
}
