import { createDiff, type Diff } from "../diff.ts";
import {
  closedSignedOut,
  type RemoteAction,
  type RemoteFailure,
  revisionOf,
  type SocketMessage,
  type Versioned,
} from "../protocol.ts";

/** The part of a WebSocket that the server side uses; `ws` fits. */
export interface Socket {
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: "message", listener: (data: { toString(): string }) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

export interface RemoteServerOptions<State extends Versioned, Caller> {
  /** The whole state of one owner, as of now. */
  load(owner: string): Promise<State>;
  /** Checks and carries out one action; resolves, once it is committed, with the diff of exactly that change. */
  perform(caller: Caller, action: RemoteAction): Promise<Diff>;
  /** Reads an action from a message of the socket; throws on what is none. */
  parse(text: string): RemoteAction;
  /** What to tell the client of a failure. */
  describe(error: unknown): RemoteFailure;
}

interface Owner<State, Caller> {
  id: string;
  connections: Set<Connection<Caller>>;
  /** the newest state sent to anyone, from which the next diff is made */
  known?: State;
}

interface Connection<Caller> {
  socket: Socket;
  caller: Caller;
  /** the revision this client has reached */
  rev: number;
  /** what the client sent and nobody has answered yet, in order */
  queue: Promise<void>;
  waiting: number;
}

const maxConnections = 50;
const maxWaiting = 32;
const closedTooMany = 1013;
const maxBuffered = 4 * 1024 * 1024;

export type RemoteServer<Caller> = ReturnType<typeof createRemoteServer<Versioned, Caller>>;

/**
 * The server's end of the sockets: sends the whole state first, answers a client's own actions with
 * their diffs, and passes on what changed elsewhere. A connected client never misses a revision.
 */
export function createRemoteServer<State extends Versioned, Caller>(options: RemoteServerOptions<State, Caller>) {
  const owners = new Map<string, Owner<State, Caller>>();

  function connect(caller: Caller, ownerId: string, socket: Socket) {
    const owner = owners.get(ownerId) ?? { id: ownerId, connections: new Set() };
    const connection = { socket, caller, rev: Number.NEGATIVE_INFINITY, queue: Promise.resolve(), waiting: 0 };
    if (owner.connections.size >= maxConnections) return socket.close(closedTooMany, "too many connections");
    owners.set(ownerId, owner);
    owner.connections.add(connection);

    socket.on("message", (data) => enqueue(connection, () => answer(owner, connection, data.toString())));
    socket.on("close", () => {
      owner.connections.delete(connection);
      if (owner.connections.size === 0) owners.delete(ownerId);
    });
    enqueue(connection, () => refresh(owner));
  }

  /** Tells every client of this owner what it has not seen yet. */
  async function changed(ownerId: string, rev: number) {
    const owner = owners.get(ownerId);
    if (owner && behind(owner, rev).length > 0) await refresh(owner);
  }

  /** For after a time in which changes may have gone unheard. */
  async function resync() {
    for (const owner of owners.values()) await refresh(owner);
  }

  /** Ends the connections whose caller may no longer be here. */
  function disconnect(hasEnded: (caller: Caller) => boolean) {
    for (const { caller, socket } of connections()) if (hasEnded(caller)) socket.close(closedSignedOut, "signed out");
  }

  async function refresh(owner: Owner<State, Caller>) {
    const loaded = await options.load(owner.id).catch((error) => {
      // Rather than miss a revision: they come back, and are sent the whole state.
      for (const { socket } of owner.connections) socket.terminate();
      throw error;
    });
    const before = owner.known;
    // Loads overlap: one that began earlier may end later, with an older state.
    const state = before && before.rev >= loaded.rev ? before : loaded;
    owner.known = state;

    const diff = before?.rev === state.rev - 1 ? createDiff(before, state) : undefined;
    for (const connection of behind(owner, state.rev)) {
      if (diff && connection.rev === before?.rev) send(connection, { action: null, diff }, state.rev);
      else send(connection, state, state.rev);
    }
  }

  async function answer(owner: Owner<State, Caller>, connection: Connection<Caller>, text: string) {
    let action: string | null = null;
    try {
      const message = options.parse(text);
      action = message.type;
      const diff = await options.perform(connection.caller, message);
      const rev = revisionOf(diff);
      if (connection.rev < rev - 1) await refresh(owner).catch(() => undefined);
      send(connection, { action, diff }, rev);
    } catch (error) {
      send(connection, { action, ...options.describe(error) }, connection.rev);
    }
  }

  function* connections() {
    for (const owner of owners.values()) yield* owner.connections;
  }

  return { connect, changed, resync, disconnect, callers: () => Array.from(connections(), ({ caller }) => caller) };
}

function behind<Caller>({ connections }: Owner<unknown, Caller>, rev: number): Connection<Caller>[] {
  return [...connections].filter((connection) => connection.rev < rev);
}

function enqueue<Caller>(connection: Connection<Caller>, task: () => Promise<void>) {
  if (connection.waiting >= maxWaiting) return connection.socket.terminate();
  connection.waiting++;
  connection.queue = connection.queue
    .then(task)
    .catch(() => connection.socket.terminate())
    .finally(() => connection.waiting--);
}

function send<Caller>(connection: Connection<Caller>, message: SocketMessage | Versioned, rev: number) {
  // A client that does not read would make the server hold everything for it.
  if (connection.socket.bufferedAmount > maxBuffered) return connection.socket.terminate();
  connection.rev = Math.max(connection.rev, rev);
  connection.socket.send(JSON.stringify(message));
}
