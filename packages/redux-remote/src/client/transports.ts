import type { Diff } from "../diff.ts";
import {
  closedSignedOut,
  type RemoteAction,
  type RemoteFailure,
  type SocketMessage,
  untilHeader,
  untilMessage,
  type Versioned,
} from "../protocol.ts";

export const networkFailure: RemoteFailure = { error: "error_network" };
const responseTimeoutMs = 10_000;
/** The server's clock is known by its Date header, which has whole seconds. */
const clockToleranceMs = 1000;
const firstReconnectDelayMs = 500;
const maxReconnectDelayMs = 30_000;

/** The failure that the server reported for an action, or `error_network` if the server could not be reached. */
export class RemoteError extends Error {
  override name = "RemoteError";
  readonly failure: RemoteFailure;
  readonly isSignedOut: boolean;

  constructor(failure: RemoteFailure, isSignedOut = false) {
    super(failure.error);
    this.failure = failure;
    this.isSignedOut = isSignedOut;
  }
}

/** Loads the state by GET and sends actions by POST, both at the same URL. */
export function httpTransport<State extends Versioned>(url: string) {
  /** the server's time minus `performance.now()`; NaN while that is not known */
  let serverEpoch = Number.NaN;

  async function call<Answer>(init?: RequestInit): Promise<Answer> {
    const signal = AbortSignal.timeout(responseTimeoutMs);
    const start = performance.now();
    const response = await fetch(url, { credentials: "same-origin", signal, ...init }).catch(() => undefined);
    const date = Date.parse(response?.headers.get("date") ?? "");
    if (!Number.isNaN(date)) serverEpoch = date - start;
    const body: unknown = await response?.json().catch(() => undefined);
    if (response?.ok && body) return body as Answer;
    throw new RemoteError(isFailure(body) ? body : networkFailure, response?.status === 401);
  }

  return {
    load: () => call<State>(),
    send: (action: RemoteAction, until: number | undefined) =>
      call<Diff>({
        method: "POST",
        headers: { "content-type": "application/json", ...(until && { [untilHeader]: String(until) }) },
        body: JSON.stringify(action),
      }),
    /** Until when an action that is sent now may be performed, by the server's clock. */
    deadline: () => {
      const until = Math.round(serverEpoch + performance.now() + responseTimeoutMs + clockToleranceMs);
      return Number.isNaN(until) ? undefined : until;
    },
  };
}

interface SocketListener<State> {
  onState(state: State): void;
  onPush(diff: Diff): void;
  /** Also called for a rejected upgrade. Browsers hide the reason, so only HTTP shows whether the session has ended. */
  onLost(): void;
  /** The server closed the socket because the session has ended. The browser may have a new session already. */
  onEnded(): void;
}

/** One WebSocket, which reconnects with exponential backoff when it drops. */
export function socketTransport<State extends Versioned>(url: string, listener: SocketListener<State>) {
  let socket: WebSocket | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let pending:
    | {
        type: string;
        resolve(diff: Diff): void;
        reject(error: RemoteError): void;
        timer: ReturnType<typeof setTimeout>;
      }
    | undefined;

  function open() {
    close();
    const opened = new WebSocket(url);
    socket = opened;
    opened.onmessage = ({ data }) => {
      failures = 0;
      if (socket === opened) receive(JSON.parse(data));
    };
    opened.onclose = ({ code }) => {
      if (socket !== opened) return;
      drop();
      if (code === closedSignedOut) return listener.onEnded();
      listener.onLost();
      retry = setTimeout(open, Math.random() * Math.min(maxReconnectDelayMs, firstReconnectDelayMs * 2 ** failures++));
    };
  }

  function close() {
    clearTimeout(retry);
    const old = socket;
    drop();
    old?.close();
  }

  function drop() {
    socket = undefined;
    takePending()?.reject(new RemoteError(networkFailure));
  }

  function receive(message: State | SocketMessage) {
    if (!("action" in message)) return listener.onState(message as State);
    if (message.action === null) return "diff" in message ? listener.onPush(message.diff) : undefined;
    if (message.action !== pending?.type) return;
    const answered = takePending();
    if ("diff" in message) answered?.resolve(message.diff);
    else answered?.reject(new RemoteError({ error: message.error }));
  }

  function takePending() {
    const taken = pending;
    clearTimeout(taken?.timer);
    pending = undefined;
    return taken;
  }

  return {
    open,
    close,
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    send: (action: RemoteAction, until: number | undefined) =>
      new Promise<Diff>((resolve, reject) => {
        // Without a response in time the socket is reopened, which fails this action with error_network.
        const timer = setTimeout(open, responseTimeoutMs);
        pending = { type: action.type, resolve, reject, timer };
        if (until) socket?.send(JSON.stringify({ type: untilMessage, payload: until }));
        socket?.send(JSON.stringify(action));
      }),
  };
}

function isFailure(body: unknown): body is RemoteFailure {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";
}
