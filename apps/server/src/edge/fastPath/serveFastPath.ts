import type { IncomingHttpHeaders, Server } from "node:http";
import type { Socket } from "node:net";

/** Finds the parts of the complete response to a GET, if all of it is in memory. */
export type FindFastResponse = (
  url: string,
  headers: IncomingHttpHeaders,
  address: string | undefined,
) => Buffer[] | undefined;

const requestLine = /^GET (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const fieldLine = /^([\w-]+):([\t\x20-\x7e]*)$/;
/** Requests with one of these headers need the HTTP server itself. */
const unsupported = new Set(
  "content-length transfer-encoding upgrade expect connection range x-forwarded-host if-modified-since".split(" "),
);
const headEnd = Buffer.from("\r\n\r\n");
const maxHeadBytes = 8192;
const idleTimeout = 72_000;

/**
 * The fast path: answers plain GET requests for cached content directly on the socket, without Node's HTTP parser. At
 * the first request that it does not fully understand, it hands the connection over to the HTTP server, for good.
 */
export function serveFastPath(server: Server, find: FindFastResponse) {
  const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
  const sockets = new Set<Socket>();
  server.removeAllListeners("connection");

  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    const forget = () => sockets.delete(socket);
    const end = () => socket.end();
    const handOver = (data?: Buffer) => {
      socket.off("data", read).off("end", end).off("error", end).off("timeout", end).off("close", forget);
      socket.setTimeout(0);
      forget();
      socket.pause();
      if (data) socket.unshift(data);
      for (const listener of listeners) listener.call(server, socket);
      socket.resume();
    };
    const read = (data: Buffer) => {
      let rest = data;
      while (rest.length > 0) {
        const found = responseTo(rest, find, socket.remoteAddress);
        // Backpressure is left to the HTTP server.
        if (!found || socket.writableNeedDrain) return handOver(rest);
        if (found.parts.length > 1) socket.cork();
        for (const part of found.parts) socket.write(part);
        if (found.parts.length > 1) socket.uncork();
        rest = rest.subarray(found.length);
      }
    };
    socket.setNoDelay(true);
    socket.setTimeout(idleTimeout);
    socket.on("data", read).on("end", end).on("error", end).on("timeout", end).on("close", forget);
  });
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function responseTo(data: Buffer, find: FindFastResponse, address: string | undefined) {
  const end = data.indexOf(headEnd);
  if (end < 0 || end > maxHeadBytes) return undefined;
  const head = data.toString("latin1", 0, end);
  const first = head.indexOf("\r\n");
  const url = requestLine.exec(head.slice(0, first))?.[1];
  const headers = first > 0 && url !== undefined ? readFields(head, first + 2) : undefined;
  const parts = headers && withoutThrowing(() => find(url as string, headers, address));
  return parts && { parts, length: end + headEnd.length };
}

/** An error is left to the HTTP server, which meets it again and reports it. */
function withoutThrowing(find: () => Buffer[] | undefined): Buffer[] | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** The headers; undefined if the HTTP server should handle them: duplicates, unusual syntax, unsupported ones. */
function readFields(head: string, start: number): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (let from = start; from < head.length; ) {
    const next = head.indexOf("\r\n", from);
    const line = head.slice(from, next < 0 ? head.length : next);
    const [, name, text = ""] = fieldLine.exec(line) ?? [];
    const key = name?.toLowerCase();
    const value = text.trim();
    if (key === undefined || headers[key] !== undefined) return undefined;
    if (unsupported.has(key) && !(key === "connection" && value.toLowerCase() === "keep-alive")) return undefined;
    headers[key] = value;
    from = next < 0 ? head.length : next + 2;
  }
  return headers;
}
