import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openClient, startNoteServer } from "./noteServer.ts";

const waitOptions = { timeout: 120_000, interval: 5 };

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function connected() {
  const server = await startNoteServer();
  const client = openClient(server.url);
  await connect(client);
  return { server, ...client };
}

/** Starts the client and waits for the first message of the socket, which replaces the state loaded over HTTP. */
async function connect({ start, store }: ReturnType<typeof openClient>) {
  await start();
  const overHttp = store.getState().remoteStore;
  await vi.waitFor(() => expect(store.getState().remoteStore).not.toBe(overHttp), waitOptions);
}

describe.each([
  { transport: "WebSocket", isSocketAllowed: true },
  { transport: "HTTP", isSocketAllowed: false },
])("over $transport", ({ isSocketAllowed }) => {
  async function openConnection() {
    const server = await startNoteServer();
    server.allowSockets(isSocketAllowed);
    const client = openClient(server.url);
    await (isSocketAllowed ? connect(client) : client.start());
    return { server, ...client };
  }

  test("an action's diff is applied and the action is marked succeeded", async () => {
    const { server, store } = await openConnection();
    store.dispatch({ type: "@redux-remote/WRITE", payload: "hello" });
    expect(store.getState().remoteAction).toBe("@redux-remote/WRITE");
    await vi.waitFor(() => expect(store.getState().remoteAction).toBe("@redux-remote/WRITE_SUCCESS"), waitOptions);
    expect(store.getState().remoteStore).toEqual(server.state());
    expect(server.posted).toHaveLength(isSocketAllowed ? 0 : 1);
  });

  test("a rejected action stores its error and changes nothing", async () => {
    const { store } = await openConnection();
    store.dispatch({ type: "@redux-remote/REFUSE" });
    await vi.waitFor(() => expect(store.getState().remoteAction).toBe("@redux-remote/REFUSE_ERROR"), waitOptions);
    expect(store.getState().remoteError).toEqual({ error: "error_refused" });
    expect(store.getState().remoteStore?.rev).toBe(1);
    store.dispatch({ type: "@redux-remote/reset" });
    expect(store.getState()).toMatchObject({ remoteAction: "", remoteError: null });
  });

  test("a second action is not sent while one is pending, and the first one completes", async () => {
    const { server, store } = await openConnection();
    store.dispatch({ type: "@redux-remote/WAIT", payload: "first" });
    const refused = store.dispatch({ type: "@redux-remote/WRITE", payload: "second" });
    expect(refused).toEqual({ error: "remote action conflict" });
    store.dispatch({ type: "@redux-remote/reset" });
    expect(store.getState().remoteAction).toBe("@redux-remote/WAIT");

    await vi.waitFor(() => {
      server.release();
      expect(store.getState().remoteAction).toBe("@redux-remote/WAIT_SUCCESS");
    }, waitOptions);
    expect(server.state()).toMatchObject({ rev: 2, text: "first" });
  });

  test("a gap in the revisions makes the client reload the state", async () => {
    const { server, store } = await openConnection();
    await server.change("unheard", true);
    store.dispatch({ type: "@redux-remote/WRITE", payload: "later" });
    await vi.waitFor(() => expect(store.getState().remoteAction).toBe("@redux-remote/WRITE_SUCCESS"), waitOptions);
    expect(store.getState().remoteStore).toEqual({ rev: 3, text: "later", seen: {} });
  });
});

test("a change by another client is applied and leaves the last action as it is", async () => {
  const { server, store } = await connected();
  await server.change("from another tab");
  await vi.waitFor(() => expect(store.getState().remoteStore?.text).toBe("from another tab"), waitOptions);
  expect(store.getState().remoteAction).toBe("");
});

test("all clients reach the same state as the server after concurrent changes", async () => {
  const server = await startNoteServer();
  const clients = [openClient(server.url), openClient(server.url), openClient(server.url)];
  await Promise.all(clients.map(connect));
  for (let round = 0; round < 20; round++) {
    for (const [index, { store }] of clients.entries()) {
      store.dispatch({ type: "@redux-remote/WRITE", payload: `${round}.${index}` });
    }
    await server.change(`elsewhere ${round}`, round % 5 === 0);
  }
  await server.change("the end");
  for (const { store } of clients) {
    await vi.waitFor(() => expect(store.getState().remoteStore).toEqual(server.state()), waitOptions);
  }
});

test("a dropped socket fails its pending action, reconnects and catches up", async () => {
  const { server, store } = await connected();
  store.dispatch({ type: "@redux-remote/WAIT", payload: "lost" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const socket of server.sockets.clients) socket.terminate();
  await vi.waitFor(() => expect(store.getState().remoteError).toEqual({ error: "error_network" }), waitOptions);

  await server.change("meanwhile");
  await vi.waitFor(() => expect(server.remote.callers()).toHaveLength(1), waitOptions);
  await vi.waitFor(() => expect(store.getState().remoteStore?.text).toBe("meanwhile"), waitOptions);
});

test("while the socket is away, an action goes over HTTP; offline, nothing is sent", async () => {
  const { server, store } = await connected();
  const beforeLoss = store.getState().remoteStore;
  server.allowSockets(false);
  for (const socket of server.sockets.clients) socket.terminate();
  // A client that has lost its socket loads the state over HTTP.
  await vi.waitFor(() => expect(store.getState().remoteStore).not.toBe(beforeLoss), waitOptions);
  store.dispatch({ type: "@redux-remote/WRITE", payload: "meanwhile" });
  await vi.waitFor(() => expect(store.getState().remoteAction).toBe("@redux-remote/WRITE_SUCCESS"), waitOptions);
  expect(server.posted).toHaveLength(1);
  expect(store.getState().remoteStore).toEqual(server.state());
  // It may be performed until shortly after the client gives up.
  const until = server.posted[0]?.until ?? 0;
  expect(until - Date.now()).toBeGreaterThan(0);
  expect(until - Date.now()).toBeLessThan(13_000);

  vi.stubGlobal("navigator", { onLine: false });
  store.dispatch({ type: "@redux-remote/WRITE", payload: "offline" });
  await vi.waitFor(() => expect(store.getState().remoteError).toEqual({ error: "error_network" }), waitOptions);
  vi.unstubAllGlobals();
  expect(server.posted).toHaveLength(1);
});

test("the server does not perform an action after the moment that its client named", async () => {
  const { server, store } = await connected();
  const before = store.getState().remoteStore;
  const socket = new WebSocket(server.url.replace("http", "ws"));
  const answers: { action?: string | null; error?: string }[] = [];
  socket.onmessage = ({ data }) => answers.push(JSON.parse(data));
  await vi.waitFor(() => expect(answers).toHaveLength(1), waitOptions);
  const send = (type: string, payload: unknown) => socket.send(JSON.stringify({ type, payload }));
  send("@until", Date.now() - 1);
  send("WRITE", "too late");
  await vi.waitFor(() => expect(answers[1]).toEqual({ action: "WRITE", error: "error_network" }), waitOptions);
  expect(server.state()).toEqual(before);
  send("@until", Date.now() + 60_000);
  send("WRITE", "in time");
  await vi.waitFor(() => expect(server.state().text).toBe("in time"), waitOptions);
  socket.close();
});

test("the end of the session clears the state", async () => {
  const { server, store } = await connected();
  server.endSession();
  await vi.waitFor(() => expect(store.getState().remoteStore).toBeNull(), waitOptions);
});

test("start rejects without a session", async () => {
  const server = await startNoteServer();
  server.endSession();
  const { start, store } = openClient(server.url);
  await expect(start()).rejects.toMatchObject({ isSignedOut: true });
  expect(store.getState().remoteStore).toBeNull();
});

test("a client that floods the server is disconnected", async () => {
  const { server } = await connected();
  const flood = new WebSocket(server.url.replace("http", "ws"));
  const closed = new Promise((resolve) => flood.addEventListener("close", resolve));
  flood.addEventListener("open", () => {
    for (let sent = 0; sent < 100; sent++) flood.send(JSON.stringify({ type: "WAIT", payload: "" }));
  });
  await closed;
  expect(server.remote.callers()).toHaveLength(1);
});
