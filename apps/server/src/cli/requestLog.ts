import { type RequestLogPage, requestLogQuery } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { AppError } from "../platform/AppError.ts";
import { Shares } from "../platform/Shares.ts";
import { findOwnProjectByName } from "../projects/queries.ts";
import type { CliApi } from "./CliApi.ts";
import { nameParams } from "./projects.ts";

/** How many questions a customer may have open in a process. */
const maxQuestions = 4;

/** The last requests to a site, static or WordPress. */
export function requestLogRoute(scope: FastifyInstance, { deploys, requests, limiter }: CliApi) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const questions = new Shares(maxQuestions);
  const schema = { params: nameParams, querystring: requestLogQuery };
  app.get(
    "/api/cli/projects/:name/requests",
    { schema },
    async ({ cliToken, params, query }): Promise<RequestLogPage> => {
      const { userId, projectId } = cliToken;
      await limiter.take("requestLogs", userId);
      const project = await findOwnProjectByName(deploys.db, userId, params.name);
      if (!project || (projectId ?? project.id) !== project.id) throw new AppError("error_project_not_found");
      if (!requests) throw new AppError("error_requests_not_logged");
      if (!questions.tryTake(userId)) throw new AppError("error_too_many_requests");
      return requests.read(project.id, query.cursor).finally(() => questions.release(userId));
    },
  );
}
