import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientAddress } from "../http/clientAddress.ts";
import { AppError } from "../platform/AppError.ts";
import { placeOf } from "./devices.ts";
import { type Session, type Sessions, sessionId } from "./sessions.ts";
import type { Visitor } from "./signIn.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** set by `requireSession` */
    session: Session;
  }
}

export const sessionCookie = "nido_session";
const challengeCookie = "nido_challenge";
const challengeSeconds = 10 * 60;
/** Tells browsers apart, so that a sign-in from a new one can be announced. It opens nothing. */
const deviceCookie = "nido_device";
/** The longest that browsers keep a cookie. The server decides when a session ends. */
const cookieSeconds = 400 * 24 * 60 * 60;
const maxUserAgent = 300;

/** The id of the session in the request's cookie, if there is one. */
export function sentSessionId(request: FastifyRequest): string | undefined {
  const token = request.server.cookies.read(request, sessionCookie);
  return token && sessionId(token);
}

/** The browser of a request, for a sign-in. */
export function visitorOf(request: FastifyRequest): Visitor {
  return {
    address: clientAddress(request.ip),
    oldSession: sentSessionId(request),
    device: request.server.cookies.read(request, deviceCookie) ?? randomBytes(16).toString("base64url"),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, maxUserAgent),
    place: placeOf(request.ip),
  };
}

export function writeSession(reply: FastifyReply, token: string, { device }: Visitor) {
  reply.server.cookies.write(reply, sessionCookie, token, cookieSeconds);
  reply.server.cookies.write(reply, deviceCookie, device, cookieSeconds);
}

export function clearSession(reply: FastifyReply) {
  reply.server.cookies.clear(reply, sessionCookie);
}

export function sentChallenge(request: FastifyRequest): string | undefined {
  return request.server.cookies.read(request, challengeCookie);
}

export function writeChallenge(reply: FastifyReply, browser: string) {
  reply.server.cookies.write(reply, challengeCookie, browser, challengeSeconds);
}

export function clearChallenge(reply: FastifyReply) {
  reply.server.cookies.clear(reply, challengeCookie);
}

/** The session of a request; undefined for a visitor. */
export async function findSession(request: FastifyRequest, sessions: Sessions): Promise<Session | undefined> {
  const id = sentSessionId(request);
  const session = id ? await sessions.find(id) : undefined;
  return session && { ...session, place: placeOf(request.ip) };
}

/** A guard that requires a session and puts it on the request. Restricted and closed accounts need a route that allows them. */
export function requireSession(sessions: Sessions, allows = { restricted: false, closed: false }) {
  return async (request: FastifyRequest) => {
    const session = await findSession(request, sessions);
    if (!session) throw new AppError("error_signed_out");
    if (session.isRestricted && !allows.restricted) throw new AppError("error_two_step_required");
    if (session.isClosed && !allows.closed) throw new AppError("error_account_closed");
    request.session = session;
  };
}
