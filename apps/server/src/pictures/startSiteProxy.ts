import { lookup as resolve } from "node:dns";
import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { connect, type LookupFunction, type Socket } from "node:net";
import { Transform, type TransformCallback } from "node:stream";

/** What one picture may load. */
const maxBytes = 30 * 2 ** 20;

/** An HTTP proxy on a Unix socket that reaches these hosts alone (`name:port`), with a limit on what it passes back. */
export async function startSiteProxy(path: string, hosts: string[]) {
  let left = maxBytes;
  const sockets = new Set<Socket>();
  const counted = () =>
    new Transform({
      transform(chunk: Buffer, _encoding: string, done: TransformCallback) {
        left -= chunk.length;
        done(left < 0 ? new Error("the picture's budget is spent") : null, chunk);
      },
    });

  const server = createServer((incoming, outgoing) => {
    const url = URL.canParse(incoming.url ?? "") ? new URL(incoming.url as string) : undefined;
    if (url?.protocol !== "http:" || !hosts.includes(hostOf(url))) return void outgoing.writeHead(403).end();
    const headers = { ...incoming.headers, host: url.host };
    const onward = send(url, { method: incoming.method, headers, lookup }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer
        .pipe(counted())
        .on("error", () => outgoing.destroy())
        .pipe(outgoing);
    });
    onward.on("error", () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()));
    incoming.pipe(onward);
  });
  server.on("connect", (request, socket: Socket, head) => {
    const host = request.url ?? "";
    if (!hosts.includes(host)) return void socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    const [name, port] = host.split(":");
    const onward = connect({ port: Number(port), host: name ?? "", lookup }, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.write(head);
      socket.pipe(onward);
      onward
        .pipe(counted())
        .on("error", () => socket.destroy())
        .pipe(socket);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  server.on("connection", (socket) => {
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

/** Names below `localhost` are this machine (RFC 6761); not every resolver knows it. */
const lookup: LookupFunction = (name, options, done) =>
  resolve(/(^|\.)localhost$/.test(name) ? "127.0.0.1" : name, options, done);

/** With the port, also if it is the default one. */
export function hostOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}
