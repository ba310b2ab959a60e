import type { NamedToken } from "@nido/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Db } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { createCliToken, deleteCliToken, findNamedTokens } from "./accessTokens.ts";

const newToken = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^\P{Cc}+$/u),
});

/** Named tokens for CI. Only a person who logged in manages them, not a CI token itself. */
export function tokenRoutes(scope: FastifyInstance, db: Db) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preHandler = async ({ cliToken }: FastifyRequest) => {
    if (cliToken.kind !== "login") throw new AppError("error_login_needed");
  };

  app.get("/api/cli/tokens", { preHandler }, async ({ cliToken }): Promise<NamedToken[]> => {
    const tokens = await findNamedTokens(db, cliToken.userId);
    return tokens.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      created_at: createdAt.toISOString(),
      used_at: usedAt?.toISOString() ?? null,
    }));
  });

  app.post("/api/cli/tokens", { schema: { body: newToken }, preHandler }, async ({ cliToken, body }) => ({
    token: await db.transaction((tx) => createCliToken(tx, cliToken.userId, "ci", body.name)),
  }));

  app.delete("/api/cli/tokens/:id", { schema: { params: idParams }, preHandler }, async ({ cliToken, params }) => {
    if (!(await deleteCliToken(db, cliToken.userId, params.id))) throw new AppError("error_not_found");
    return { ok: true };
  });
}
