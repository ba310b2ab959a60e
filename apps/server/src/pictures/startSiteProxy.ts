import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { connect, type Socket } from "node:net";
import { type Duplex, pipeline, Transform, type TransformCallback } from "node:stream";
import { hostOf, type SiteHosts } from "./findPage.ts";

/** What one picture may load. */
const maxBytes = 30 * 2 ** 20;
const hopByHop = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** An HTTP proxy on a Unix socket that reaches one site alone, with a limit on what it passes back. */
export async function startSiteProxy(path: string, { names, target }: SiteHosts) {
  let left = maxBytes;
  const sockets = new Set<Duplex>();
  const counted = () =>
    new Transform({
      transform(chunk: Buffer, _encoding: string, done: TransformCallback) {
        left -= chunk.length;
        done(left < 0 ? new Error("the picture's budget is spent") : null, chunk);
      },
    });

  function pass(incoming: IncomingMessage, outgoing: ServerResponse) {
    const url = URL.canParse(incoming.url ?? "") ? new URL(incoming.url as string) : undefined;
    if (url?.protocol !== "http:" || !names.includes(hostOf(url))) return void outgoing.writeHead(403).end();
    const headers = { ...endToEnd(incoming), host: url.host };
    const [port, page] = [Number(url.port || 80), url.pathname + url.search];
    const onward = send(
      { host: target, port, path: page, method: incoming.method, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, endToEnd(answer));
        pipeline(answer, counted(), outgoing, () => undefined);
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.once("close", () => onward.destroy());
    pipeline(incoming, onward, () => undefined);
  }

  const server = createServer((incoming, outgoing) => {
    incoming.on("error", () => undefined);
    outgoing.on("error", () => undefined);
    try {
      pass(incoming, outgoing);
    } catch {
      outgoing.destroy(); // a header that cannot be passed on
    }
  });
  server.on("connect", (request, socket: Duplex, head: Buffer) => {
    socket.on("error", () => undefined);
    const [, port] = (request.url ?? "").split(":");
    if (!names.includes(request.url ?? "")) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const onward = connect({ host: target, port: Number(port) });
    onward.on("error", () => socket.destroy());
    socket.once("close", () => onward.destroy());
    onward.once("connect", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      pipeline(socket, onward, () => undefined);
      pipeline(onward, counted(), socket, () => undefined);
    });
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(path);
  await once(server, "listening");
  return {
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function endToEnd({ headers }: IncomingMessage) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.test(name)));
}
