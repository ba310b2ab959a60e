import { type CliSite, categoryOf } from "@nido/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../platform/AppError.ts";
import { siteRoutes } from "../wordpress/siteRoutes.ts";
import type { CliApi } from "./CliApi.ts";
import { tokenAs } from "./requireCliToken.ts";

/** The customer's WordPress sites, and what the dashboard does with them. */
export async function wordpressRoutes(app: FastifyInstance, { states, siteApi }: Pick<CliApi, "states" | "siteApi">) {
  app.addHook("onRequest", async (request) => {
    requireOwnersToken(request);
    const { userId, projectId } = request.cliToken;
    request.owner = { userId, projectId, actor: tokenAs(request) };
  });

  app.get("/api/cli/sites", async ({ owner }): Promise<CliSite[]> => {
    const entry = await states.find(owner.userId);
    return Object.values(entry?.state.projects ?? {})
      .filter(({ id, recipe }) => categoryOf(recipe) === "wordpress" && (owner.projectId ?? id) === id)
      .map(({ id, name, address, status, disk, backed_up_at: backedUpAt, work, staging }) => ({
        id,
        name,
        address,
        status,
        disk,
        ...(backedUpAt && { backed_up_at: backedUpAt }),
        ...(work && { work }),
        ...(staging && { staging }),
      }));
  });

  siteRoutes(app, "/api/cli/sites/:id", siteApi);
}

/**
 * Tokens for CI publish static sites. They read about WordPress sites, but change nothing there, and learn nothing about
 * the people who use them.
 */
function requireOwnersToken({ method, routeOptions, cliToken }: FastifyRequest) {
  if (cliToken.kind !== "ci") return;
  if (method !== "GET") throw new AppError("error_token_scope");
  if (/\/(users|mail)$/.test(routeOptions.url ?? "")) throw new AppError("error_login_needed");
}
