import formbody from "@fastify/formbody";
import { defaultLanguage, languages } from "@nido/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { describeError } from "../http/describeError.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { type Google, type GoogleIntent, googleCallbackPath, googleIntents, parseFlow } from "./Google.ts";
import { linkGoogle, proveByGoogle } from "./linkGoogle.ts";
import { clearSession, findSession, sentSessionId, visitorOf, writeChallenge, writeSession } from "./requireSession.ts";
import { safeRedirect } from "./safeRedirect.ts";
import { endSession, type Sessions } from "./sessions.ts";
import { type Admission, signInWithGoogle, signInWithPassword, type Visitor } from "./signIn.ts";

const flowCookie = "nido_flow";
const flowSeconds = 600;

const credentials = z.object({
  username: z
    .string()
    .trim()
    .min(1)
    .max(320)
    .regex(/^\P{Cc}+$/u),
  password: z.string().min(1).max(256),
});
const googleQuery = z.object({
  redirect: z.string().max(2000).optional().catch(undefined),
  lang: z.enum(languages).catch(defaultLanguage),
  intent: z.enum(googleIntents).catch("signIn"),
});

export interface AuthDeps {
  accounts: Accounts;
  sessions: Sessions;
  appUrl: URL;
  google: Google | undefined;
  /** Drops this process's cached sessions of a customer after a change. */
  forget(userId: string): void;
}

export async function authRoutes(scope: FastifyInstance, { accounts, sessions, appUrl, google, forget }: AuthDeps) {
  const { db } = accounts;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.removeAllContentTypeParsers();
  await app.register(formbody);

  app.post(
    "/auth/simple",
    { schema: { body: credentials }, config: { rateLimit: "signInRequests" } },
    async (request, reply) => {
      const visitor = visitorOf(request);
      const admission = await signInWithPassword(accounts, request.body, visitor);
      if (!admitted(reply, admission, visitor)) return reply.code(202).send({ second_factor: true });
      return { ok: true };
    },
  );

  app.get("/logout", { config: { rateLimit: "signOut" } }, async (request, reply) => {
    const id = sentSessionId(request);
    const userId = id && (await db.transaction((tx) => endSession(tx, id)));
    if (userId) forget(userId);
    clearSession(reply);
    return { ok: true };
  });

  const limited = { rateLimit: "googleSignIn", allowCrossSite: true } as const;

  app.get("/auth/google", { schema: { querystring: googleQuery }, config: limited }, async ({ query }, reply) =>
    redirectToGoogle(reply, safeRedirect(appUrl, query.redirect), query),
  );

  // The CLI's sign-in returns to /clilogin, the only page that can authorize the CLI.
  app.get("/auth/google/cli", { schema: { querystring: googleQuery }, config: limited }, async ({ query }, reply) => {
    const page = new URL("/clilogin", appUrl);
    page.search = safeRedirect(appUrl, query.redirect).search;
    return redirectToGoogle(reply, page, query);
  });

  app.get(googleCallbackPath, { config: limited }, async (request, reply) => {
    const flow = parseFlow(app.cookies.read(request, flowCookie));
    app.cookies.clear(reply, flowCookie);
    const returnTo = safeRedirect(appUrl, flow?.returnTo);
    try {
      if (!google || !flow) throw new AppError("error_google_failed");
      const identity = await google.finish(new URL(request.url, appUrl).search, flow);
      if (flow.intent !== "signIn") await useIdentity(request, flow.intent, identity.sub);
      else {
        const visitor = visitorOf(request);
        const isIn = admitted(reply, await signInWithGoogle(accounts, identity, visitor), visitor);
        if (!isIn) returnTo.searchParams.set("second_factor", "1");
      }
    } catch (error) {
      const { key } = describeError(error);
      request.log[key === "error_unknown" ? "error" : "info"]({ err: error }, "sign-in with Google failed");
      returnTo.searchParams.set("signin_error", key === "error_unknown" ? "error_google_failed" : key);
    }
    return reply.redirect(returnTo.href);
  });

  /** Writes the cookie of the new session, or of the challenge. Returns whether the visitor is signed in. */
  function admitted(reply: FastifyReply, admission: Admission, visitor: Visitor): boolean {
    if ("challenge" in admission) {
      writeChallenge(reply, admission.challenge);
      return false;
    }
    forget(admission.userId);
    writeSession(reply, admission.token, visitor);
    return true;
  }

  /** Links the Google account to the customer who is signed in, or takes it as proof that it is them. */
  async function useIdentity(request: FastifyRequest, intent: GoogleIntent, sub: string) {
    const session = await findSession(request, sessions);
    if (!session) throw new AppError("error_signed_out");
    if (intent === "link") await linkGoogle(accounts, session, sub);
    else await proveByGoogle(accounts, session, sub);
    forget(session.userId);
  }

  async function redirectToGoogle(reply: FastifyReply, returnTo: URL, { lang, intent }: z.output<typeof googleQuery>) {
    if (!google) throw new AppError("error_google_unavailable");
    const { url, flow } = await google.begin(returnTo.pathname + returnTo.search, lang, intent);
    app.cookies.write(reply, flowCookie, JSON.stringify(flow), flowSeconds);
    return reply.redirect(url.href);
  }
}
