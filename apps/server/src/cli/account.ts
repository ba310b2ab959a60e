import type { CliAccount } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import { findUser } from "../account/queries.ts";
import type { Db } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { revokeCliToken } from "./accessTokens.ts";
import { tokenAs } from "./requireCliToken.ts";

/** `nido whoami` and `nido logout`. */
export function accountRoutes(app: FastifyInstance, db: Db) {
  app.get("/api/cli/me", async ({ cliToken }): Promise<CliAccount> => {
    const user = await findUser(db, cliToken.userId);
    if (!user) throw new AppError("error_signed_out");
    return { email: user.email, lang: user.lang };
  });

  app.delete("/api/cli/me", async (request) => {
    const { cliToken } = request;
    if (cliToken.kind === "login") await revokeCliToken(db, cliToken.userId, tokenAs(request), cliToken.id);
    return { ok: true };
  });
}
