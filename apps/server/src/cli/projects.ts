import { type CliProject, categoryOf } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { AppError } from "../platform/AppError.ts";
import type { CustomerStates } from "../state/CustomerStates.ts";
import type { CliToken } from "./accessTokens.ts";

export const nameParams = z.object({ name: z.string().max(20) });

/** The customer's static projects, with their deploys, branches and domains. */
export function projectRoutes(scope: FastifyInstance, states: CustomerStates) {
  const app = scope.withTypeProvider<ZodTypeProvider>();

  app.get("/api/cli/projects", ({ cliToken }) => findProjects(states, cliToken));

  app.get("/api/cli/projects/:name", { schema: { params: nameParams } }, async ({ cliToken, params }) => {
    const projects = await findProjects(states, cliToken);
    const project = projects.find(({ name }) => name === params.name);
    if (!project) throw new AppError("error_project_not_found");
    return project;
  });
}

/** The static projects that the token reaches. */
async function findProjects(states: CustomerStates, { userId, projectId }: CliToken): Promise<CliProject[]> {
  const entry = await states.find(userId);
  return Object.values(entry?.state.projects ?? {})
    .filter(({ id, recipe }) => categoryOf(recipe) === "static" && (projectId === null || id === projectId))
    .map(({ name, url, status, domains, deploys = {}, branches = {} }) => ({
      name,
      url,
      status,
      branches,
      deploys: Object.values(deploys),
      domains: Object.values(domains),
    }));
}
