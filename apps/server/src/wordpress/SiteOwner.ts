import type { Actor } from "@nido/contract";
import type { FastifyRequest } from "fastify";
import { browserAs } from "../auth/devices.ts";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** who asks about a WordPress site: the customer in the dashboard, or the holder of a token */
    owner: SiteOwner;
  }
}

export interface SiteOwner {
  userId: string;
  actor: Actor;
  /** the only project that a token reaches; null: all of the customer's */
  projectId: string | null;
}

/** A guard for the dashboard's requests. */
export function ownerBySession(sessions: Sessions) {
  const guard = requireSession(sessions);
  return async (request: FastifyRequest) => {
    await guard(request);
    const { session } = request;
    request.owner = { userId: session.userId, actor: browserAs(session), projectId: null };
  };
}
