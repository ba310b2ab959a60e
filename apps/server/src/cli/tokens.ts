import { type NamedToken, newTokenSchema } from "@nido/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { lockUser } from "../account/queries.ts";
import { isRecent } from "../auth/proofs.ts";
import type { Db } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import { findOwnProjectByName } from "../projects/queries.ts";
import { createCliToken, deleteCliToken, findNamedTokens, isToken } from "./accessTokens.ts";
import { presentToken } from "./presentToken.ts";

/** Named tokens for CI. Only a person who logged in manages them, not a CI token itself. */
export function tokenRoutes(scope: FastifyInstance, db: Db) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preHandler = async ({ cliToken }: FastifyRequest) => {
    if (cliToken.kind !== "login") throw new AppError("error_login_needed");
  };

  app.get("/api/cli/tokens", { preHandler }, async ({ cliToken }): Promise<NamedToken[]> => {
    return (await findNamedTokens(db, cliToken.userId)).map(presentToken);
  });

  app.post("/api/cli/tokens", { preHandler }, async ({ cliToken, body }) => {
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
      return { token: secret };
    });
  });

  app.delete("/api/cli/tokens/:id", { schema: { params: idParams }, preHandler }, async ({ cliToken, params }) => {
    if (!(await deleteCliToken(db, cliToken.userId, params.id))) throw new AppError("error_not_found");
    return { ok: true };
  });
}
