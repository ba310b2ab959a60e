import { createRemoteServer } from "@nido/redux-remote/server";
import type { FastifyBaseLogger } from "fastify";
import { type Session, Sessions, sessionsChannel } from "../auth/sessions.ts";
import { stateChannel } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { Listener } from "../db/Listener.ts";
import { SiteDirectory } from "../domains/SiteDirectory.ts";
import { describeError } from "../http/describeError.ts";
import { AppError } from "../platform/AppError.ts";
import { Budget } from "../platform/TokenBucket.ts";
import { CustomerStates } from "../state/CustomerStates.ts";
import type { Sites } from "../state/presentProject.ts";
import { parseActionText } from "./parseAction.ts";
import { performAction } from "./performAction.ts";

export type Live = ReturnType<typeof createLive>;

const sweepEvery = 4000;
const actionBurst = 120;
const actionsPerSecond = 2;

/**
 * What this process knows of customers between requests: who is signed in, their states, their open
 * dashboards. All of it can be forgotten at any time; NOTIFY says when it must be.
 */
export function createLive(db: Db, databaseUrl: string, sites: Sites, log: FastifyBaseLogger) {
  const listener = new Listener(
    databaseUrl,
    {
      [stateChannel]: (payload) => {
        const [userId = "", rev] = payload.split(" ");
        states.forget(userId);
        directory.forgetOf(userId);
        remote.changed(userId, Number(rev)).catch((error) => log.warn({ err: error }, "a change was not passed on"));
      },
      [sessionsChannel]: (userId) => {
        sessions.forgetOf(userId);
        void closeEnded((session) => session.userId === userId);
      },
    },
    () => {
      sessions.forgetAll();
      states.forgetAll();
      directory.forgetAll();
      remote.resync().catch((error) => log.warn({ err: error }, "states were not sent again"));
    },
  );
  const isListening = () => listener.isListening;
  const sessions = new Sessions(db, isListening);
  const states = new CustomerStates(db, sites, isListening);
  const directory = new SiteDirectory(db, isListening);
  const budget = new Budget(actionBurst, actionsPerSecond);

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
      if (key === "error_unknown") log.error({ err: error }, "an action failed");
      return { error: key };
    },
  });

  async function perform(session: Session, action: Parameters<typeof performAction>[3]) {
    if (!budget.take(session.userId)) throw new AppError("error_too_many_requests");
    const diff = await performAction(db, sites, session, action);
    forget(session.userId);
    return diff;
  }

  /** The customer's next request must see this one's effect, and it may come before the notification does. */
  function forget(userId: string) {
    states.forget(userId);
    directory.forgetOf(userId);
    sessions.forgetOf(userId);
  }

  /** Closes the sockets of sessions that have ended. Run often: a lost notification must not keep one open. */
  async function closeEnded(concerns: (session: Session) => boolean = () => true) {
    const ids = new Set(
      remote
        .callers()
        .filter(concerns)
        .map(({ id }) => id),
    );
    if (ids.size === 0) return;
    try {
      const living = await sessions.living([...ids]);
      remote.disconnect(({ id }) => ids.has(id) && !living.has(id));
    } catch (error) {
      log.warn({ err: error }, "open dashboards could not be checked");
    }
  }

  let sweep: NodeJS.Timeout | undefined;
  return {
    sessions,
    states,
    directory,
    remote,
    perform,
    forget,
    start: async () => {
      await listener.start();
      sweep = setInterval(() => void closeEnded(), sweepEvery);
    },
    stop: async () => {
      clearInterval(sweep);
      await listener.stop();
    },
  };
}
