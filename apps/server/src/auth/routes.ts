import formbody from "@fastify/formbody";
import { defaultLanguage, languages } from "@nido/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { describeError } from "../http/describeError.ts";
import { AppError } from "../platform/AppError.ts";
import type { Accounts } from "./Accounts.ts";
import { type Google, googleCallbackPath, parseFlow } from "./Google.ts";
import { clearSession, sentSessionId, visitorOf, writeSession } from "./requireSession.ts";
import { safeRedirect } from "./safeRedirect.ts";
import { endSession } from "./sessions.ts";
import { signInWithGoogle, signInWithPassword } from "./signIn.ts";

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
});

export interface AuthDeps {
  accounts: Accounts;
  appUrl: URL;
  google: Google | undefined;
  /** Drops this process's cached sessions of a customer after a change. */
  forget(userId: string): void;
}

export async function authRoutes(scope: FastifyInstance, { accounts, appUrl, google, forget }: AuthDeps) {
  const { db, limiter } = accounts;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.removeAllContentTypeParsers();
  await app.register(formbody);

  app.post(
    "/auth/simple",
    { schema: { body: credentials }, config: { rateLimit: "signInRequests" } },
    async (request, reply) => {
      const { username, password } = request.body;
      setSessionCookie(reply, await signInWithPassword(db, limiter, { username, password }, visitorOf(request)));
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
    redirectToGoogle(reply, safeRedirect(appUrl, query.redirect), query.lang),
  );

  // The CLI's sign-in returns to /clilogin, the only page that can authorize the CLI.
  app.get("/auth/google/cli", { schema: { querystring: googleQuery }, config: limited }, async ({ query }, reply) => {
    const page = new URL("/clilogin", appUrl);
    page.search = safeRedirect(appUrl, query.redirect).search;
    return redirectToGoogle(reply, page, query.lang);
  });

  app.get(googleCallbackPath, { config: limited }, async (request, reply) => {
    const flow = parseFlow(app.cookies.read(request, flowCookie));
    app.cookies.clear(reply, flowCookie);
    const returnTo = safeRedirect(appUrl, flow?.returnTo);
    try {
      if (!google || !flow) throw new AppError("error_google_failed");
      const identity = await google.finish(new URL(request.url, appUrl).search, flow);
      setSessionCookie(reply, await signInWithGoogle(accounts, identity, visitorOf(request)));
    } catch (error) {
      const { key } = describeError(error);
      request.log[key === "error_unknown" ? "error" : "info"]({ err: error }, "sign-in with Google failed");
      returnTo.searchParams.set("signin_error", key === "error_unknown" ? "error_google_failed" : key);
    }
    return reply.redirect(returnTo.href);
  });

  function setSessionCookie(reply: FastifyReply, { userId, token }: { userId: string; token: string }) {
    forget(userId);
    writeSession(reply, token);
  }

  async function redirectToGoogle(reply: FastifyReply, returnTo: URL, lang: (typeof languages)[number]) {
    if (!google) throw new AppError("error_google_unavailable");
    const { url, flow } = await google.begin(returnTo.pathname + returnTo.search, lang);
    app.cookies.write(reply, flowCookie, JSON.stringify(flow), flowSeconds);
    return reply.redirect(url.href);
  }
}
