import {
  changeEmailSchema,
  confirmEmailSchema,
  confirmSignUpSchema,
  finishResetSchema,
  linkSchema,
  resetSchema,
  signUpSchema,
} from "@nido/contract";
import type { FastifyInstance, FastifyReply } from "fastify";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import type { Accounts } from "./Accounts.ts";
import { confirmEmailChange, requestEmailChange, undoEmailChange } from "./changeEmail.ts";
import { requireRecentProof } from "./proofs.ts";
import { findSession, requireSession, visitorOf, writeSession } from "./requireSession.ts";
import { finishReset, isResetLink, requestReset } from "./resetPassword.ts";
import { safeRedirect } from "./safeRedirect.ts";
import type { Sessions } from "./sessions.ts";
import { confirmSignUp, requestSignUp, resendSignUp } from "./signUp.ts";

/** The secret with which this browser can give the code that it was sent. */
const proofCookie = "nido_proof";
const proofSeconds = 60 * 60;

interface Deps {
  accounts: Accounts;
  sessions: Sessions;
  appUrl: URL;
  /** Drops this process's cached sessions and state of a customer after a change. */
  forget(userId: string): void;
}

/** Signing up, resetting the password and changing the e-mail address. */
export function accountRoutes(app: FastifyInstance, { accounts, sessions, appUrl, forget }: Deps) {
  const config = { rateLimit: "accountRequests" } as const;
  const setProof = (reply: FastifyReply, browser: string) =>
    app.cookies.write(reply, proofCookie, browser, proofSeconds);

  app.post("/auth/signup", { config }, async (request, reply) => {
    requireMail(accounts);
    const { redirect, ...account } = parseInput(signUpSchema, request.body);
    const { pathname, search } = safeRedirect(appUrl, redirect);
    const { address } = visitorOf(request);
    setProof(reply, await requestSignUp(accounts, { ...account, returnTo: pathname + search }, address));
    return { ok: true };
  });

  app.post("/auth/signup/resend", { config }, async (request) => {
    const browser = app.cookies.read(request, proofCookie);
    if (!browser) throw new AppError("error_link_invalid");
    await resendSignUp(accounts, browser);
    return { ok: true };
  });

  app.post("/auth/signup/confirm", { config }, async (request, reply) => {
    const given = parseInput(confirmSignUpSchema, request.body);
    const browser = app.cookies.read(request, proofCookie);
    const visitor = visitorOf(request);
    const { returnTo, ...session } = await confirmSignUp(accounts, given, browser, visitor);
    forget(session.userId);
    app.cookies.clear(reply, proofCookie);
    writeSession(reply, session.token, visitor);
    return { redirect: returnTo };
  });

  app.post("/auth/reset", { config }, async (request) => {
    requireMail(accounts);
    const { email, lang } = parseInput(resetSchema, request.body);
    await requestReset(accounts, email, lang, visitorOf(request).address);
    return { ok: true };
  });

  app.post("/auth/reset/check", { config }, async ({ body }) => {
    if (!(await isResetLink(accounts, parseInput(linkSchema, body).token))) throw new AppError("error_link_invalid");
    return { ok: true };
  });

  app.post("/auth/reset/finish", { config }, async (request) => {
    const { token, password } = parseInput(finishResetSchema, request.body);
    forget(await finishReset(accounts, token, password, visitorOf(request)));
    return { ok: true };
  });

  app.post(
    "/api/account/email",
    { config, preValidation: requireSession(sessions) },
    async ({ session, body }, reply) => {
      const { email } = parseInput(changeEmailSchema, body);
      requireRecentProof(session);
      setProof(reply, await requestEmailChange(accounts, session, email));
      return { ok: true };
    },
  );

  app.post("/auth/email/confirm", { config }, async (request) => {
    const given = parseInput(confirmEmailSchema, request.body);
    const browser = app.cookies.read(request, proofCookie);
    const session = await findSession(request, sessions);
    forget(await confirmEmailChange(accounts, given, { browser, session, visitor: visitorOf(request) }));
    return { ok: true };
  });

  app.post("/auth/email/undo", { config }, async (request) => {
    forget(await undoEmailChange(accounts, parseInput(linkSchema, request.body).token, visitorOf(request)));
    return { ok: true };
  });
}

/** Without a mail server, the message would wait for ever. */
function requireMail({ canMail }: Accounts) {
  if (!canMail) throw new AppError("error_mail_unavailable");
}
