import type { Diff } from "../diff.ts";
import { closedSignedOut, type RemoteFailure, type SocketMessage, type Versioned } from "../protocol.ts";

export const networkFailure: RemoteFailure = { error: "error_network" };
const answerTimeout = 10_000;
const longestPause = 30_000;

/** An action's failure as the server told it, or `error_network` where it could not be asked. */
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

/** `GET` and `POST` on one address. */
export function httpTransport<State extends Versioned>(url: string) {
  async function call<Answer>(init?: RequestInit): Promise<Answer> {
    const signal = AbortSignal.timeout(answerTimeout);
    const response = await fetch(url, { credentials: "same-origin", signal, ...init }).catch(() => undefined);
    const body: unknown = await response?.json().catch(() => undefined);
    if (response?.ok && body) return body as Answer;
    throw new RemoteError(isFailure(body) ? body : networkFailure, response?.status === 401);
  }

  return {
    load: () => call<State>(),
    send: (type: string, payload: unknown) =>
      call<Diff>({
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ type, payload }),
      }),
  };
}

interface SocketListener<State> {
  onState(state: State): void;
  onPush(diff: Diff): void;
  /** A refused upgrade looks like any other loss: whether the session has ended can only be asked over HTTP. */
  onLost(): void;
  /** The server said that the session has ended; another may have taken its place in this browser. */
  onEnded(): void;
}

/** One WebSocket, opened again whenever it drops, with growing pauses. */
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
      abandon();
      if (code === closedSignedOut) return listener.onEnded();
      listener.onLost();
      retry = setTimeout(open, Math.random() * Math.min(longestPause, 500 * 2 ** failures++));
    };
  }

  function close() {
    clearTimeout(retry);
    const old = socket;
    abandon();
    old?.close();
  }

  function abandon() {
    socket = undefined;
    take()?.reject(new RemoteError(networkFailure));
  }

  function receive(message: State | SocketMessage) {
    if (!("action" in message)) return listener.onState(message as State);
    if (message.action === null) return "diff" in message ? listener.onPush(message.diff) : undefined;
    if (message.action !== pending?.type) return;
    const answered = take();
    if ("diff" in message) answered?.resolve(message.diff);
    else answered?.reject(new RemoteError({ error: message.error }));
  }

  function take() {
    const taken = pending;
    clearTimeout(taken?.timer);
    pending = undefined;
    return taken;
  }

  return {
    open,
    close,
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    send: (type: string, payload: unknown) =>
      new Promise<Diff>((resolve, reject) => {
        // No answer in time: a new socket, which gives this action up.
        const timer = setTimeout(open, answerTimeout);
        pending = { type, resolve, reject, timer };
        socket?.send(JSON.stringify({ type, payload }));
      }),
  };
}

function isFailure(body: unknown): body is RemoteFailure {
  return typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";
}
