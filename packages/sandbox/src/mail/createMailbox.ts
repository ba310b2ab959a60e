import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { MessageFile } from "./MessageFile.ts";
import { listPage, mailPrefix, messagePage } from "./pages.ts";
import { readMessage } from "./readMessage.ts";

/** A mail server that delivers to nobody: a page shows every message that it was given. */
export async function createMailbox(file: string | undefined) {
  const messages = new MessageFile(file);
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    onData: (stream, { envelope }, done) => {
      text(stream).then((raw) => {
        messages.add({ recipients: envelope.rcptTo.map(({ address }) => address), raw });
        done();
      }, done);
    },
  });
  server.on("error", () => undefined); // of one connection
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const [, id] = /^\/mail\/(\d+)$/.exec(pathname) ?? [];
    if (pathname === `${mailPrefix}/messages.json`) return send(response, "application/json", await listed());
    const stored = id === undefined ? undefined : messages.find(Number(id));
    if (stored)
      return send(
        response,
        "text/html; charset=utf-8",
        messagePage(await readMessage(stored), searchParams.has("text")),
      );
    if (pathname === mailPrefix) return send(response, "text/html; charset=utf-8", listPage(await all()));
    response.writeHead(404).end();
  }

  const all = () => Promise.all(messages.list().map(readMessage));
  const listed = async () => JSON.stringify(await all());

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    handle: (request: IncomingMessage, response: ServerResponse) => {
      handle(request, response).catch((error) => {
        console.error(error);
        response.writeHead(500).end();
      });
    },
    stop: () => new Promise<void>((resolve) => server.close(resolve)),
  };
}

function send(response: ServerResponse, type: string, body: string) {
  response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(body);
}
