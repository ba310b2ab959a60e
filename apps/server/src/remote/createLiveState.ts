import { createRemoteServer } from "@nido/redux-remote/server";
import type { FastifyBaseLogger } from "fastify";
import { type Session, type SessionLifetimes, Sessions, sessionsChannel } from "../auth/sessions.ts";
import { stateChannel } from "../db/announceChange.ts";
import { type Handlers, Listener } from "../db/Listener.ts";
import { SiteDirectory } from "../domains/SiteDirectory.ts";
import { describeError } from "../http/describeError.ts";
import { AppError } from "../platform/AppError.ts";
import { CustomerStates } from "../state/CustomerStates.ts";
import { findGeneration } from "../wordpress/dueSites.ts";
import { PageGenerations, pagesChannel } from "../wordpress/PageGenerations.ts";
import type { ActionContext } from "./actions.ts";
import { parseActionText } from "./parseAction.ts";
import { performAction } from "./performAction.ts";

export type LiveState = ReturnType<typeof createLiveState>;

/** A cache of rows that belong to customers. */
interface CustomerCache {
  forgetOf(userId: string): void;
  forgetAll(): void;
}

const sessionCheckInterval = 4000;

/**
 * The sessions, states and sites that this process caches between requests, and its open dashboards. NOTIFY invalidates
 * the caches and updates the dashboards. `channels` are those that others listen to on the same connection.
 */
export function createLiveState(
  { db, sites, limiter }: ActionContext,
  databaseUrl: string,
  { lifetimes, secondFactorFor }: { lifetimes: SessionLifetimes; secondFactorFor: string[] },
  channels: Handlers,
  log: FastifyBaseLogger,
) {
  const listener = new Listener(
    databaseUrl,
    {
      [stateChannel]: (payload) => {
        const [userId = "", rev] = payload.split(" ");
        states.forget(userId);
        for (const cache of caches) cache.forgetOf(userId);
        remote
          .changed(userId, Number(rev))
          .catch((error) => log.warn({ err: error }, "could not push a state change to open dashboards"));
      },
      [sessionsChannel]: (userId) => {
        sessions.forgetOf(userId);
        void closeEnded((session) => session.userId === userId);
      },
      [pagesChannel]: (siteId) => generations.forget(siteId),
      ...channels,
    },
    () => {
      sessions.forgetAll();
      states.forgetAll();
      for (const cache of caches) cache.forgetAll();
      generations.forgetAll();
      remote.resync().catch((error) => log.warn({ err: error }, "could not resend states after reconnecting"));
    },
  );
  const isListening = () => listener.isListening;
  const sessions = new Sessions(db, isListening, lifetimes, secondFactorFor);
  const states = new CustomerStates(db, sites, isListening);
  const directory = new SiteDirectory(db, isListening);
  const caches: CustomerCache[] = [directory];
  const generations = new PageGenerations((siteId) => findGeneration(db, siteId), isListening);

  const remote = createRemoteServer({
    load: async (userId: string) => {
      const entry = await states.find(userId);
      if (!entry) throw new AppError("error_signed_out");
      return entry.state;
    },
    perform,
    parse: parseActionText,
    describe: (error) => {
      const { key } = describeError(error);
      if (key === "error_unknown") log.error({ err: error }, "remote action failed with an unexpected error");
      return { error: key };
    },
  });

  async function perform(caller: Session, action: Parameters<typeof performAction>[2]) {
    // Read again: a WebSocket's session may have been proven since it was opened.
    const session = await sessions.find(caller.id);
    if (!session) throw new AppError("error_signed_out");
    if (session.isRestricted) throw new AppError("error_two_step_required");
    if (session.isClosed) throw new AppError("error_account_closed");
    await limiter.take("actions", session.userId);
    const diff = await performAction({ db, sites, limiter }, { ...session, place: caller.place }, action);
    forget(session.userId);
    return diff;
  }

  /** Invalidates at once: the customer's next request may come before the notification, and must see this change. */
  function forget(userId: string) {
    states.forget(userId);
    for (const cache of caches) cache.forgetOf(userId);
    sessions.forgetOf(userId);
  }

  /** Closes the sockets of sessions that have ended. Also runs by timer, because a notification may be lost. */
  async function closeEnded(concerns: (session: Session) => boolean = () => true) {
    const ids = new Set(
      remote
        .callers()
        .filter(concerns)
        .map(({ id }) => id),
    );
    if (ids.size === 0) return;
    try {
      const active = await sessions.findActive([...ids]);
      remote.disconnect(({ id }) => ids.has(id) && !active.has(id));
    } catch (error) {
      log.warn({ err: error }, "could not check the sessions of open dashboards");
    }
  }

  let sessionCheck: NodeJS.Timeout | undefined;
  return {
    sessions,
    states,
    directory,
    generations,
    isListening,
    /** Invalidates another cache, too. */
    invalidate: (cache: CustomerCache) => void caches.push(cache),
    remote,
    perform,
    forget,
    start: async () => {
      await listener.start();
      sessionCheck = setInterval(() => void closeEnded(), sessionCheckInterval);
    },
    stop: async () => {
      clearInterval(sessionCheck);
      await listener.stop();
    },
  };
}
