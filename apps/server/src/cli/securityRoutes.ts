import type { TokenInfo } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { record } from "../activity/record.ts";
import { browserAs } from "../auth/devices.ts";
import { requireSession } from "../auth/requireSession.ts";
import { lockOwner, type Sessions } from "../auth/sessions.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { idParams } from "../http/idParams.ts";
import { endCliTokens, findTokens, revokeCliToken } from "./accessTokens.ts";
import { removeGrantsOfUser } from "./grants.ts";
import { presentToken } from "./presentToken.ts";

/** The CLI's logins and tokens, for the dashboard. */
export function cliSecurityRoutes(scope: FastifyInstance, db: Db, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preValidation = requireSession(sessions);

  app.get("/api/account/tokens", { preValidation }, async ({ session }): Promise<TokenInfo[]> => {
    return (await findTokens(db, session.userId)).map(presentToken);
  });

  app.delete(
    "/api/account/tokens/:id",
    { schema: { params: idParams }, preValidation },
    async ({ session, params }) => {
      await revokeCliToken(db, session.userId, browserAs(session), params.id);
      return { ok: true };
    },
  );

  app.delete("/api/account/tokens", { preValidation }, async ({ session }) => {
    await db.transactionOf(session.userId, async (tx) => {
      await lockOwner(tx, session);
      await removeGrantsOfUser(tx, session.userId);
      await endCliTokens(tx, session.userId);
      await record(tx, session.userId, browserAs(session), { kind: "allTokensRevoked", params: {} });
      await announceChange(tx, session.userId);
    });
    return { ok: true };
  });
}
