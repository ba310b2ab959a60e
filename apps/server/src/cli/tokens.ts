import { type NamedToken, newTokenSchema } from "@nido/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { lockUser } from "../account/queries.ts";
import { record } from "../activity/record.ts";
import { isRecent } from "../auth/proofs.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import { findOwnProjectByName } from "../projects/queries.ts";
import { createCliToken, findNamedTokens, isToken, revokeCliToken } from "./accessTokens.ts";
import { presentToken } from "./presentToken.ts";
import { tokenAs } from "./requireCliToken.ts";

/** Named tokens for CI. Only a person who logged in manages them, not a CI token itself. */
export function tokenRoutes(scope: FastifyInstance, db: Db) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preHandler = async ({ cliToken }: FastifyRequest) => {
    if (cliToken.kind !== "login") throw new AppError("error_login_needed");
  };

  app.get("/api/cli/tokens", { preHandler }, async ({ cliToken }): Promise<NamedToken[]> => {
    return (await findNamedTokens(db, cliToken.userId)).map(presentToken);
  });

  app.post("/api/cli/tokens", { preHandler }, async (request) => {
    const { cliToken, body } = request;
    const { project: projectName, ...token } = parseInput(newTokenSchema, body);
    // Not the login's own age: an old session in a stolen browser can grant a new login.
    if (!isRecent(cliToken.signedInAt ?? new Date(0))) throw new AppError("error_sign_in_again");
    const { userId } = cliToken;
    return db.transactionOf(userId, async (tx) => {
      await lockUser(tx, userId);
      if (!(await isToken(tx, cliToken))) throw new AppError("error_signed_out");
      const project = projectName === undefined ? null : await findOwnProjectByName(tx, userId, projectName);
      if (project === undefined) throw new AppError("error_project_not_found");
      const secret = await createCliToken(tx, userId, { ...token, kind: "ci", projectId: project?.id ?? null });
      await mailCustomer(tx, userId, "tokenCreated", { name: token.name, project: project?.name ?? null });
      const activity = { kind: "tokenCreated", params: { token: token.name }, projectId: project?.id } as const;
      await record(tx, userId, tokenAs(request), activity);
      await announceChange(tx, userId);
      return { token: secret };
    });
  });

  app.delete("/api/cli/tokens/:id", { schema: { params: idParams }, preHandler }, async (request) => {
    const { cliToken, params } = request;
    await revokeCliToken(db, cliToken.userId, tokenAs(request), params.id);
    return { ok: true };
  });
}
