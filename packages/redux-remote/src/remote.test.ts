import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openClient, startNotes } from "./testing.ts";

const settled = { timeout: 20_000, interval: 5 };

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function connected() {
  const server = await startNotes();
  const client = openClient(server.url);
  await connect(client);
  return { server, ...client };
}

/** Starts the client and waits for the socket's first message, which replaces what HTTP loaded. */
async function connect({ start, store }: ReturnType<typeof openClient>) {
  await start();
  const overHttp = store.getState().remoteStore;
  await vi.waitFor(() => expect(store.getState().remoteStore).not.toBe(overHttp), settled);
}

describe.each([
  { transport: "WebSocket", isSocketAllowed: true },
  { transport: "HTTP", isSocketAllowed: false },
])("over $transport", ({ isSocketAllowed }) => {
  async function follow() {
    const server = await startNotes();
    server.allowSockets(isSocketAllowed);
    const client = openClient(server.url);
    await (isSocketAllowed ? connect(client) : client.start());
    return { server, ...client };
  }

  test("an action's diff is applied and the action is marked succeeded", async () => {
    const { server, store } = await follow();
    store.dispatch({ type: "@redux-remote/WRITE", payload: "hello" });
    expect(store.getState().remoteAction).toBe("@redux-remote/WRITE");
    await vi.waitFor(() => expect(store.getState().remoteAction).toBe("@redux-remote/WRITE_SUCCESS"), settled);
    expect(store.getState().remoteStore).toEqual(server.state());
    expect(server.posted).toHaveLength(isSocketAllowed ? 0 : 1);
  });

  test("a refusal is stored as the error and changes nothing", async () => {
    const { store } = await follow();
    store.dispatch({ type: "@redux-remote/REFUSE" });
    await vi.waitFor(() => expect(store.getState().remoteAction).toBe("@redux-remote/REFUSE_ERROR"), settled);
    expect(store.getState().remoteError).toEqual({ error: "error_refused" });
    expect(store.getState().remoteStore?.rev).toBe(1);
    store.dispatch({ type: "@redux-remote/reset" });
    expect(store.getState()).toMatchObject({ remoteAction: "", remoteError: null });
  });

  test("a second action while one is pending is not sent, and the first goes on", async () => {
    const { server, store } = await follow();
    store.dispatch({ type: "@redux-remote/WAIT", payload: "first" });
    const refused = store.dispatch({ type: "@redux-remote/WRITE", payload: "second" });
    expect(refused).toEqual({ error: "remote action conflict" });
    store.dispatch({ type: "@redux-remote/reset" });
    expect(store.getState().remoteAction).toBe("@redux-remote/WAIT");

    await vi.waitFor(() => {
      server.release();
      expect(store.getState().remoteAction).toBe("@redux-remote/WAIT_SUCCESS");
    }, settled);
    expect(server.state()).toMatchObject({ rev: 2, text: "first" });
  });

  test("a gap in revisions makes the client load the state anew", async () => {
    const { server, store } = await follow();
    await server.change("unheard", true);
    store.dispatch({ type: "@redux-remote/WRITE", payload: "later" });
    await vi.waitFor(() => expect(store.getState().remoteAction).toBe("@redux-remote/WRITE_SUCCESS"), settled);
    expect(store.getState().remoteStore).toEqual({ rev: 3, text: "later", seen: {} });
  });
});

test("a change made elsewhere arrives without touching the last action", async () => {
  const { server, store } = await connected();
  await server.change("from another tab");
  await vi.waitFor(() => expect(store.getState().remoteStore?.text).toBe("from another tab"), settled);
  expect(store.getState().remoteAction).toBe("");
});

test("every client ends at the server's state, whoever changes what in which order", async () => {
  const server = await startNotes();
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
    await vi.waitFor(() => expect(store.getState().remoteStore).toEqual(server.state()), settled);
  }
});

test("a dropped socket gives its pending action up, comes back, and catches up", async () => {
  const { server, store } = await connected();
  store.dispatch({ type: "@redux-remote/WAIT", payload: "lost" });
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (const socket of server.sockets.clients) socket.terminate();
  await vi.waitFor(() => expect(store.getState().remoteError).toEqual({ error: "error_network" }), settled);

  await server.change("meanwhile");
  await vi.waitFor(() => expect(server.remote.callers()).toHaveLength(1), settled);
  await vi.waitFor(() => expect(store.getState().remoteStore?.text).toBe("meanwhile"), settled);
});

test("an ended session empties the state", async () => {
  const { server, store } = await connected();
  server.endSession();
  await vi.waitFor(() => expect(store.getState().remoteStore).toBeNull(), settled);
});

test("start rejects where there is no session", async () => {
  const server = await startNotes();
  server.endSession();
  const { start, store } = openClient(server.url);
  await expect(start()).rejects.toMatchObject({ isSignedOut: true });
  expect(store.getState().remoteStore).toBeNull();
});

test("a client that floods the server is cut off", async () => {
  const { server } = await connected();
  const flood = new WebSocket(server.url.replace("http", "ws"));
  const closed = new Promise((resolve) => flood.addEventListener("close", resolve));
  flood.addEventListener("open", () => {
    for (let sent = 0; sent < 100; sent++) flood.send(JSON.stringify({ type: "WAIT", payload: "" }));
  });
  await closed;
  expect(server.remote.callers()).toHaveLength(1);
});
