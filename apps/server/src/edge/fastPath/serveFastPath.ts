import type { IncomingHttpHeaders, Server } from "node:http";
import type { Socket } from "node:net";

/** Finds the whole answer, in parts ready to be sent, to a GET that needs nothing but memory. */
export type FindHotPage = (
  url: string,
  headers: IncomingHttpHeaders,
  address: string | undefined,
) => Buffer[] | undefined;

const requestLine = /^GET (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const fieldLine = /^([\w-]+):([\t\x20-\x7e]*)$/;
/** Whoever sends one of these wants more than a page. */
const unusual = new Set(
  "content-length transfer-encoding upgrade expect connection range x-forwarded-host if-modified-since".split(" "),
);
const headEnd = Buffer.from("\r\n\r\n");
const longestHead = 8192;
const idleLimit = 72_000;

/**
 * Answers the plainest requests, for pages that are kept, right on the connection: most of the work of HTTP is in
 * what such a request does not use. Anything else, from its first byte on, is the server's own as before; what is
 * not understood is never answered here.
 */
export function answerHotPages(server: Server, find: FindHotPage) {
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
        const answer = answerTo(rest, find, socket.remoteAddress);
        // Whoever does not read gets no more from here: the server itself knows how to wait.
        if (!answer || socket.writableNeedDrain) return handOver(rest);
        if (answer.parts.length > 1) socket.cork();
        for (const part of answer.parts) socket.write(part);
        if (answer.parts.length > 1) socket.uncork();
        rest = rest.subarray(answer.length);
      }
    };
    socket.setNoDelay(true);
    socket.setTimeout(idleLimit);
    socket.on("data", read).on("end", end).on("error", end).on("timeout", end).on("close", forget);
  });
  return {
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function answerTo(data: Buffer, find: FindHotPage, address: string | undefined) {
  const end = data.indexOf(headEnd);
  if (end < 0 || end > longestHead) return undefined;
  const head = data.toString("latin1", 0, end);
  const first = head.indexOf("\r\n");
  const url = requestLine.exec(head.slice(0, first))?.[1];
  const headers = first > 0 && url !== undefined ? readFields(head, first + 2) : undefined;
  const parts = headers && tryToFind(() => find(url as string, headers, address));
  return parts && { parts, length: end + headEnd.length };
}

/** A fault here is the server's to meet again, and to report. */
function tryToFind(find: () => Buffer[] | undefined): Buffer[] | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** Undefined where there is anything about them that the server itself should judge. */
function readFields(head: string, start: number): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (let from = start; from < head.length; ) {
    const next = head.indexOf("\r\n", from);
    const line = head.slice(from, next < 0 ? head.length : next);
    const [, name, text = ""] = fieldLine.exec(line) ?? [];
    const key = name?.toLowerCase();
    const value = text.trim();
    if (key === undefined || headers[key] !== undefined) return undefined;
    if (unusual.has(key) && !(key === "connection" && value.toLowerCase() === "keep-alive")) return undefined;
    headers[key] = value;
    from = next < 0 ? head.length : next + 2;
  }
  return headers;
}
