import { createDiff, type Diff } from "../diff.ts";
import {
  closedSignedOut,
  type RemoteAction,
  type RemoteFailure,
  revisionOf,
  type SocketMessage,
  untilMessage,
  type Versioned,
} from "../protocol.ts";

/** The part of a WebSocket that the server uses; the sockets of `ws` have it. */
export interface Socket {
  readonly bufferedAmount: number;
  send(text: string): void;
  close(code: number, reason: string): void;
  terminate(): void;
  on(event: "message", listener: (data: { toString(): string }) => void): unknown;
  on(event: "close", listener: () => void): unknown;
}

export interface RemoteServerOptions<State extends Versioned, Caller> {
  /** Loads the current state of an owner. */
  load(owner: string): Promise<State>;
  /** Validates and performs an action. Resolves after the commit, with the diff of exactly this change. */
  perform(caller: Caller, action: RemoteAction): Promise<Diff>;
  /** Parses a socket message into an action; throws if it is not one. */
  parse(text: string): RemoteAction;
  /** The error that the client is sent. */
  describe(error: unknown): RemoteFailure;
}

interface Owner<State, Caller> {
  id: string;
  connections: Set<Connection<Caller>>;
  /** the newest state that has been sent, which the next diff is based on */
  known?: State;
}

interface Connection<Caller> {
  socket: Socket;
  caller: Caller;
  /** the revision that this client has been sent */
  rev: number;
  /** settles when all messages so far have been answered, in order */
  queue: Promise<void>;
  waiting: number;
  /** when the client gives up the next action */
  until: number;
}

const maxConnections = 50;
const maxWaiting = 32;
const closedTooMany = 1013;
const maxBufferedBytes = 4 * 1024 * 1024;

export type RemoteServer<Caller> = ReturnType<typeof createRemoteServer<Versioned, Caller>>;

/**
 * The server side of the sockets. It sends a new client the whole state, answers the client's actions with their diffs
 * and pushes changes made elsewhere. A connected client never misses a revision.
 */
export function createRemoteServer<State extends Versioned, Caller>(options: RemoteServerOptions<State, Caller>) {
  const owners = new Map<string, Owner<State, Caller>>();

  function connect(caller: Caller, ownerId: string, socket: Socket) {
    const owner = owners.get(ownerId) ?? { id: ownerId, connections: new Set() };
    const connection = {
      socket,
      caller,
      rev: Number.NEGATIVE_INFINITY,
      queue: Promise.resolve(),
      waiting: 0,
      until: Number.POSITIVE_INFINITY,
    };
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

  /** Pushes the new revision to those clients of this owner that do not have it yet. */
  async function changed(ownerId: string, rev: number) {
    const owner = owners.get(ownerId);
    if (owner && behind(owner, rev).length > 0) await refresh(owner);
  }

  /** To be called when change notifications may have been missed. */
  async function resync() {
    for (const owner of owners.values()) await refresh(owner);
  }

  /** Closes the connections of callers whose session has ended. */
  function disconnect(hasEnded: (caller: Caller) => boolean) {
    for (const { caller, socket } of connections()) if (hasEnded(caller)) socket.close(closedSignedOut, "signed out");
  }

  async function refresh(owner: Owner<State, Caller>) {
    const loaded = await options.load(owner.id).catch((error) => {
      // The clients reconnect and are sent the whole state, so they miss no revision.
      for (const { socket } of owner.connections) socket.terminate();
      throw error;
    });
    const before = owner.known;
    // Loads overlap: one that started earlier may finish later, with an older state.
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
      if (message.type === untilMessage) {
        connection.until = Number(message.payload);
        return;
      }
      action = message.type;
      const isLate = Date.now() > connection.until;
      connection.until = Number.POSITIVE_INFINITY;
      // The network held it back, and the customer has been told that it failed.
      if (isLate) return send(connection, { action, error: "error_network" }, connection.rev);
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
  // Backpressure: the messages of a client that does not read would pile up in memory.
  if (connection.socket.bufferedAmount > maxBufferedBytes) return connection.socket.terminate();
  connection.rev = Math.max(connection.rev, rev);
  connection.socket.send(JSON.stringify(message));
}
