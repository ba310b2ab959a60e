import type { CliAccount } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import { findUser } from "../account/queries.ts";
import type { Db } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { deleteCliToken } from "./accessTokens.ts";

/** `nido whoami` and `nido logout`. */
export function accountRoutes(app: FastifyInstance, db: Db) {
  app.get("/api/cli/me", async ({ cliToken }): Promise<CliAccount> => {
    const user = await findUser(db, cliToken.userId);
    if (!user) throw new AppError("error_signed_out");
    return { email: user.email, lang: user.lang };
  });

  app.delete("/api/cli/me", async ({ cliToken }) => {
    if (cliToken.kind === "login") await deleteCliToken(db, cliToken.userId, cliToken.id);
    return { ok: true };
  });
}
