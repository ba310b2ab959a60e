import { counterpartOf, type Domain, toDomainHost, typedDomainSchema } from "@nido/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { changeByName } from "../deploys/changeBranch.ts";
import { addDomain } from "../domains/addDomain.ts";
import { scheduleHolderCheck } from "../domains/queries.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import { isToken } from "./accessTokens.ts";
import type { CliApi } from "./CliApi.ts";
import { nameParams } from "./projects.ts";
import { tokenAs } from "./requireCliToken.ts";

/** Adding a domain to a project. Only a person who logged in does that, not a token for CI. */
export function domainRoutes(scope: FastifyInstance, { deploys, states, limiter, forget }: CliApi) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preHandler = async ({ cliToken }: FastifyRequest) => {
    if (cliToken.kind !== "login") throw new AppError("error_login_needed");
    await limiter.take("actions", cliToken.userId);
  };

  app.post(
    "/api/cli/projects/:name/domains",
    { schema: { params: nameParams }, preHandler },
    async (request): Promise<Domain[]> => {
      const { userId } = request.cliToken;
      const typed = parseInput(typedDomainSchema, request.body);
      const host = toDomainHost(typed.domain) ?? "";
      await scheduleHolderCheck(deploys.db, host);
      await changeByName(deploys.db, userId, tokenAs(request), request.params.name, async (tx, projectId) => {
        // It may have been revoked while the body arrived.
        if (!(await isToken(tx, request.cliToken))) throw new AppError("error_signed_out");
        return addDomain(tx, userId, { project_id: projectId, ...typed }, deploys.sites);
      });
      forget(userId);
      const added = new Set([host, typed.with_counterpart ? counterpartOf(host) : undefined]);
      const entry = await states.find(userId);
      const project = Object.values(entry?.state.projects ?? {}).find(({ name }) => name === request.params.name);
      return Object.values(project?.domains ?? {}).filter(({ domain }) => added.has(domain));
    },
  );
}
