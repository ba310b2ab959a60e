import type { Dispatch, Middleware, UnknownAction } from "redux";
import type { Diff } from "../diff.ts";
import type { Versioned } from "../protocol.ts";
import { createRemoteReducers, fits, type RemoteSlices } from "./slices.ts";
import { httpTransport, networkFailure, RemoteError, socketTransport } from "./transports.ts";
import { conflict, failed, loaded, lost, nameOf, pushed, reset, signedOut, succeeded } from "./types.ts";

/**
 * Keeps the slice `remoteStore` equal to what the server holds. A dispatched `@redux-remote/NAME` goes
 * over the socket while one is open and over HTTP otherwise; one at a time.
 */
export function createRemoteClient<State extends Versioned>(url: string) {
  const http = httpTransport<State>(url);
  const socket = socketTransport<State>(new URL(url, globalThis.document?.baseURI).href.replace(/^http/, "ws"), {
    onState: (state) => dispatch({ type: loaded, payload: state }),
    onPush: (diff) => void keepUp(diff).catch(() => undefined),
    onLost: () => void load().catch(() => getState().remoteStore && dispatch({ type: lost })),
    onEnded: () => {
      leave();
      void start().catch(() => undefined);
    },
  });

  let dispatch: Dispatch<UnknownAction> = () => {
    throw new Error("the remote client's middleware is not in a store");
  };
  let getState: () => RemoteSlices<State>;
  let isPending = false;

  /** `dispatch` of a remote action returns the conflict when another one is pending: it is not sent then. */
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
      void carryOut(name, payload);
      return undefined;
    };
  };

  async function carryOut(name: string, payload: unknown) {
    try {
      const diff = await (socket.isOpen() ? socket : http).send(name, payload);
      // It is done whether or not the state can be loaded now.
      if (fits(getState().remoteStore, diff) === "gap") await load().catch(() => undefined);
      finish({ type: succeeded(name), payload: diff });
    } catch (error) {
      const { failure, isSignedOut } =
        error instanceof RemoteError ? error : { failure: networkFailure, isSignedOut: false };
      console.error(`${name}: ${failure.error}`);
      finish({ type: failed(name), payload: failure });
      if (isSignedOut) leave();
    }
  }

  function finish(result: UnknownAction) {
    isPending = false;
    dispatch(result);
  }

  async function keepUp(diff: Diff) {
    const fit = fits(getState().remoteStore, diff);
    if (fit === "next") dispatch({ type: pushed, payload: diff });
    if (fit === "gap") await load();
  }

  /** Loads the state over HTTP; a 401 empties the slice. */
  async function load() {
    try {
      const before = getState().remoteStore;
      const state = await http.load();
      // The socket may have brought another while this was on its way, and that one is newer unless proven older.
      const current = getState().remoteStore;
      if (current === before || !current || state.rev > current.rev) dispatch({ type: loaded, payload: state });
    } catch (error) {
      if (error instanceof RemoteError && error.isSignedOut) leave();
      throw error;
    }
  }

  function leave() {
    socket.close();
    if (getState().remoteStore) dispatch({ type: signedOut });
  }

  /** Loads the state, then follows its changes. Rejects when there is none to be had. */
  async function start() {
    await load();
    socket.open();
  }

  return { middleware, reducers: createRemoteReducers<State>(), start, stop: socket.close };
}
