import { cliVersionHeader } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import { accountRoutes } from "./account.ts";
import type { CliApi } from "./CliApi.ts";
import { deployRoutes } from "./deploys.ts";
import { domainRoutes } from "./domains.ts";
import { projectRoutes } from "./projects.ts";
import { requestLogRoute } from "./requestLog.ts";
import { requireCliToken, tokenAs } from "./requireCliToken.ts";
import { tokenRoutes } from "./tokens.ts";
import { wordpressRoutes } from "./wordpress.ts";

/** The API of the command-line tool. It authenticates by a bearer token; cookies are ignored. */
export async function cliRoutes(app: FastifyInstance, api: CliApi) {
  // Checks the token before the body is read.
  app.addHook("onRequest", requireCliToken(api.deploys.db));
  // The tool tells its user when the server has another version.
  app.addHook("onSend", async (_request, reply) => {
    const current = await api.findPackage().catch(() => undefined);
    if (current) reply.header(cliVersionHeader, current.version);
  });
  accountRoutes(app, api.deploys.db);
  projectRoutes(app, api.states);
  domainRoutes(app, api);
  requestLogRoute(app, api);
  app.addHook("onRequest", async (request) => {
    request.publisher = { ...request.cliToken, actor: tokenAs(request) };
  });
  deployRoutes(app, "/api/cli", api);
  await app.register(wordpressRoutes, api);
  tokenRoutes(app, api.deploys.db);
}
