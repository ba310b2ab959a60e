import { passkeySignInSchema, proofSchema } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import { parseInput } from "../platform/parseInput.ts";
import type { Accounts } from "./Accounts.ts";
import { clearChallenge, sentChallenge, visitorOf, writeChallenge, writeSession } from "./requireSession.ts";
import { answerSecondFactor, askPasskey, askSecondFactor, signInWithPasskey } from "./signIn.ts";

/** Signing in by passkey, and the second factor after a password. */
export function secondFactorRoutes(app: FastifyInstance, accounts: Accounts, forget: (userId: string) => void) {
  const config = { rateLimit: "signInRequests" } as const;

  app.get("/auth/second-factor", { config }, async (request) => askSecondFactor(accounts, sentChallenge(request)));

  app.post("/auth/second-factor", { config }, async (request, reply) => {
    const proof = parseInput(proofSchema, request.body);
    const visitor = visitorOf(request);
    const session = await answerSecondFactor(accounts, sentChallenge(request), proof, visitor);
    forget(session.userId);
    clearChallenge(reply);
    writeSession(reply, session.token, visitor);
    return { ok: true };
  });

  app.post("/auth/passkey/options", { config }, async (_request, reply) => {
    const { browser, options } = await askPasskey(accounts);
    writeChallenge(reply, browser);
    return options;
  });

  app.post("/auth/passkey", { config }, async (request, reply) => {
    const { passkey } = parseInput(passkeySignInSchema, request.body);
    const visitor = visitorOf(request);
    const session = await signInWithPasskey(accounts, sentChallenge(request), passkey, visitor);
    forget(session.userId);
    clearChallenge(reply);
    writeSession(reply, session.token, visitor);
    return { ok: true };
  });
}
