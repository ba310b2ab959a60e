import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { configureStore } from "@reduxjs/toolkit";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { createRemoteClient } from "./client/index.ts";
import { createDiff } from "./diff.ts";
import { type RemoteAction, untilHeader } from "./protocol.ts";
import { createRemoteServer } from "./server/index.ts";

export interface Note {
  rev: number;
  text: string;
  seen: Record<string, number>;
}

/**
 * Test fixture: a server that keeps one note in memory. `WRITE` sets its text, `REFUSE` fails, and `WAIT` is answered
 * once `release` is called.
 */
export async function startNoteServer() {
  let note: Note = { rev: 1, text: "", seen: {} };
  let isSignedIn = true;
  let isSocketAllowed = true;
  let release = () => {};
  const posted: (RemoteAction & { until: number })[] = [];

  function write(text: string) {
    const before = note;
    note = { ...note, rev: note.rev + 1, text };
    return createDiff(before, note);
  }

  async function perform({ type, payload }: RemoteAction) {
    if (type === "REFUSE") throw new Error("error_refused");
    if (type === "WAIT") await new Promise<void>((resolve) => (release = resolve));
    const diff = write(String(payload));
    setImmediate(() => remote.changed("me", note.rev));
    return diff;
  }

  const remote = createRemoteServer<Note, string>({
    load: async () => note,
    perform: (_caller, action) => perform(action),
    parse: (text) => JSON.parse(text),
    describe: (error) => ({ error: (error as Error).message }),
  });

  const server = createServer(async (request, response) => {
    const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (!isSignedIn) return answer(401, { error: "error_signed_out" });
    if (request.method === "GET") return answer(200, note);
    let body = "";
    for await (const chunk of request) body += chunk;
    const action = JSON.parse(body);
    posted.push({ ...action, until: Number(request.headers[untilHeader]) });
    return perform(action).then(
      (diff) => answer(200, diff),
      (error) => answer(400, { error: error.message }),
    );
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    if (!isSignedIn || !isSocketAllowed) return socket.end("HTTP/1.1 401 Unauthorized\r\n\r\n");
    return sockets.handleUpgrade(request, socket, head, (opened) => remote.connect("me", "me", opened));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    server.closeAllConnections();
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    posted,
    remote,
    sockets,
    state: () => note,
    /** Makes a change as another client would. With `isSilent` the connected clients are not notified. */
    change: async (text: string, isSilent = false) => {
      write(text);
      if (!isSilent) await remote.changed("me", note.rev);
    },
    release: () => release(),
    allowSockets: (isAllowed: boolean) => {
      isSocketAllowed = isAllowed;
    },
    endSession: () => {
      isSignedIn = false;
      remote.disconnect(() => true);
    },
  };
}

/** A Redux store that is connected to the note server. */
export function openClient(url: string) {
  const client = createRemoteClient<Note>(url);
  const store = configureStore({
    reducer: client.reducers,
    middleware: (defaults) => defaults().concat(client.middleware),
  });
  onTestFinished(client.stop);
  return { ...client, store };
}
