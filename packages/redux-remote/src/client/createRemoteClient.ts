import type { Dispatch, Middleware, UnknownAction } from "redux";
import type { Diff } from "../diff.ts";
import type { Versioned } from "../protocol.ts";
import { conflict, failed, loaded, lost, nameOf, pushed, reset, signedOut, succeeded } from "./actionTypes.ts";
import { createRemoteReducers, fits, type RemoteSlices } from "./slices.ts";
import { httpTransport, networkFailure, RemoteError, socketTransport } from "./transports.ts";

/**
 * Keeps the slice `remoteStore` in sync with the server's state. A dispatched `@redux-remote/NAME` is sent over the
 * socket while it is open, and over HTTP otherwise. One action is in flight at a time.
 */
export function createRemoteClient<State extends Versioned>(url: string) {
  const http = httpTransport<State>(url);
  const socket = socketTransport<State>(new URL(url, globalThis.document?.baseURI).href.replace(/^http/, "ws"), {
    onState: (state) => dispatch({ type: loaded, payload: state }),
    onPush: (diff) => void applyPush(diff).catch(() => undefined),
    onLost: () => void load().catch(() => getState().remoteStore && dispatch({ type: lost })),
    onEnded: () => {
      signOut();
      void start().catch(() => undefined);
    },
  });

  let dispatch: Dispatch<UnknownAction> = () => {
    throw new Error("The middleware of the remote client has not been added to a Redux store");
  };
  let getState: () => RemoteSlices<State>;
  let isPending = false;

  /** While an action is pending, dispatching another one returns `conflict` and does not send it. */
  const middleware: Middleware<object, RemoteSlices<State>> = (api) => {
    dispatch = api.dispatch;
    getState = api.getState;
    return (next) => (action) => {
      const { type, payload } = action as { type: string; payload?: unknown };
      const name = nameOf(type);
      if (type === reset && isPending) return undefined;
      if (!name) return next(action);
      if (isPending) return conflict;
      isPending = true;
      next(action);
      void perform(name, payload);
      return undefined;
    };
  };

  async function perform(name: string, payload: unknown) {
    try {
      // Otherwise the browser would keep the action, and send it when the network is back.
      if (globalThis.navigator?.onLine === false) throw new RemoteError(networkFailure);
      const diff = await (socket.isOpen() ? socket : http).send({ type: name, payload }, http.deadline());
      // The action has succeeded on the server, so a failure to reload the state does not count.
      if (fits(getState().remoteStore, diff) === "gap") await load().catch(() => undefined);
      finish({ type: succeeded(name), payload: diff });
    } catch (error) {
      const { failure, isSignedOut } =
        error instanceof RemoteError ? error : { failure: networkFailure, isSignedOut: false };
      console.error(`${name}: ${failure.error}`);
      finish({ type: failed(name), payload: failure });
      if (isSignedOut) signOut();
    }
  }

  function finish(result: UnknownAction) {
    isPending = false;
    dispatch(result);
  }

  async function applyPush(diff: Diff) {
    const fit = fits(getState().remoteStore, diff);
    if (fit === "next") dispatch({ type: pushed, payload: diff });
    if (fit === "gap") await load();
  }

  /** Loads the state over HTTP. A 401 clears the slice. */
  async function load() {
    try {
      const before = getState().remoteStore;
      const state = await http.load();
      // The socket may have delivered a state meanwhile. That one is kept unless the loaded revision is higher.
      const current = getState().remoteStore;
      if (current === before || !current || state.rev > current.rev) dispatch({ type: loaded, payload: state });
    } catch (error) {
      if (error instanceof RemoteError && error.isSignedOut) signOut();
      throw error;
    }
  }

  function signOut() {
    socket.close();
    if (getState().remoteStore) dispatch({ type: signedOut });
  }

  /** Loads the state, then opens the socket. Rejects if the state cannot be loaded. */
  async function start() {
    await load();
    socket.open();
  }

  // An open socket notices the loss of the network only after a while.
  globalThis.addEventListener?.("offline", () => getState().remoteStore && dispatch({ type: lost }));
  globalThis.addEventListener?.("online", () => getState().remoteStore && void load().catch(() => undefined));

  return { middleware, reducers: createRemoteReducers<State>(), start, stop: socket.close };
}
