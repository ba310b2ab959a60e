import type { FastifyReply, FastifyRequest } from "fastify";
import { clientAddress } from "../http/clientAddress.ts";
import { AppError } from "../platform/AppError.ts";
import { type Session, type Sessions, sessionDays, sessionId } from "./sessions.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** set by `requireSession` */
    session: Session;
  }
}

export const sessionCookie = "nido_session";
const sessionSeconds = sessionDays * 24 * 60 * 60;

/** The id of the session in the request's cookie, if there is one. */
export function sentSessionId(request: FastifyRequest): string | undefined {
  const token = request.server.cookies.read(request, sessionCookie);
  return token && sessionId(token);
}

/** The browser of a request, for a sign-in. */
export function visitorOf(request: FastifyRequest) {
  return { address: clientAddress(request.ip), oldSession: sentSessionId(request) };
}

export function writeSession(reply: FastifyReply, token: string) {
  reply.server.cookies.write(reply, sessionCookie, token, sessionSeconds);
}

export function clearSession(reply: FastifyReply) {
  reply.server.cookies.clear(reply, sessionCookie);
}

/** The session of a request; undefined for a visitor. */
export async function findSession(request: FastifyRequest, sessions: Sessions): Promise<Session | undefined> {
  const id = sentSessionId(request);
  return id ? sessions.find(id) : undefined;
}

/** A guard that requires a session and puts it on the request. */
export function requireSession(sessions: Sessions) {
  return async (request: FastifyRequest) => {
    const session = await findSession(request, sessions);
    if (!session) throw new AppError("error_signed_out");
    request.session = session;
  };
}
