import type { IncomingHttpHeaders, Server } from "node:http";
import type { Socket } from "node:net";

/** Finds the whole answer, ready to be sent, to a GET that needs nothing but memory. */
export type FindHotPage = (url: string, headers: IncomingHttpHeaders) => Buffer | undefined;

const requestLine = /^GET (\/[\x21-\x7e]*) HTTP\/1\.1$/;
const fieldLine = /^([\w-]+):[ \t]*([\x20-\x7e]*?)[ \t]*$/;
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
    const end = () => socket.destroy();
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
        const answer = answerTo(rest, find);
        if (!answer) return handOver(rest);
        socket.write(answer.bytes);
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

function answerTo(data: Buffer, find: FindHotPage): { bytes: Buffer; length: number } | undefined {
  const end = data.indexOf(headEnd);
  if (end < 0 || end > longestHead) return undefined;
  const [first = "", ...lines] = data.toString("latin1", 0, end).split("\r\n");
  const url = requestLine.exec(first)?.[1];
  if (url === undefined) return undefined;
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name, value = ""] = fieldLine.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key === undefined || key in headers) return undefined;
    if (unusual.has(key) && !(key === "connection" && value.toLowerCase() === "keep-alive")) return undefined;
    headers[key] = value;
  }
  const bytes = find(url, headers);
  return bytes && { bytes, length: end + headEnd.length };
}
