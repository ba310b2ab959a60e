import { type ProofQuestion, proofSchema } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import { findUser } from "../account/queries.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import type { Accounts } from "./Accounts.ts";
import { closeChallenge, createChallenge, takeChallenge } from "./challenges.ts";
import { browserAs } from "./devices.ts";
import { ask, checkProof, proofMethodsOf } from "./proofs.ts";
import { clearChallenge, requireSession, sentChallenge, writeChallenge } from "./requireSession.ts";
import { markProven, type Sessions } from "./sessions.ts";

interface Deps {
  accounts: Accounts;
  sessions: Sessions;
  forget(userId: string): void;
}

/** Proving who one is, for sensitive actions: asking for a challenge, and answering it. */
export function proofRoutes(app: FastifyInstance, { accounts, sessions, forget }: Deps) {
  const { db } = accounts;
  const proving = {
    preValidation: requireSession(sessions, { restricted: true, closed: true }),
    config: { rateLimit: "accountRequests" },
  } as const;

  app.get("/api/account/proof", proving, async ({ session }, reply): Promise<ProofQuestion> => {
    const user = await findUser(db, session.userId);
    if (!user) throw new AppError("error_signed_out");
    const { browser, challenge } = await createChallenge(db, "prove", user.id);
    writeChallenge(reply, browser);
    return ask(accounts, await proofMethodsOf(accounts, user), { userId: user.id, challenge });
  });

  app.post("/api/account/proof", proving, async (request, reply) => {
    const proof = parseInput(proofSchema, request.body);
    const { session } = request;
    const challenge = await takeChallenge(db, "prove", sentChallenge(request));
    const user = await findUser(db, session.userId);
    if (!user || challenge?.userId !== user.id) throw new AppError("error_proof_needed");
    await checkProof(accounts, challenge, await proofMethodsOf(accounts, user), proof, browserAs(session));
    if (!(await closeChallenge(db, challenge))) throw new AppError("error_proof_needed");
    await markProven(db, session);
    clearChallenge(reply);
    forget(session.userId);
    return { ok: true };
  });
}
