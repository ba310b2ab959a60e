import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { cliRollBackSchema, filesMediaType, newDeploySchema, type PublishedDeploy } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { finishDeploy } from "../deploys/finishDeploy.ts";
import { planDeploy } from "../deploys/planDeploy.ts";
import { branchUrl } from "../deploys/presentDeploys.ts";
import { rollBackByName } from "../deploys/rollBack.ts";
import { receiveBlobs } from "../deploys/upload/receiveBlobs.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import type { CliApi } from "./CliApi.ts";
import { nameParams } from "./projects.ts";

/** Enough for 100,000 files, the most that a deploy can have, with paths of 300 characters. */
const maxPlanBytes = 40 * 2 ** 20;
const perMinute = (max: number) => ({ rateLimit: { max, timeWindow: "1 minute" } });

/** Publishing: plan, upload the missing files, finish; and rolling back. */
export function deployRoutes(scope: FastifyInstance, { deploys, forget }: CliApi) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const ofDeploy = { schema: { params: idParams }, config: perMinute(3000) };
  const ofProject = { schema: { params: nameParams }, config: perMinute(3000) };
  // Uploads are streamed, not parsed.
  app.addContentTypeParser(filesMediaType, (_request, payload, done) => done(null, payload));

  app.post(
    "/api/cli/projects/:name/deploys",
    { ...ofProject, bodyLimit: maxPlanBytes, config: perMinute(120) },
    async ({ cliToken, params, body }) => {
      const plan = await planDeploy(deploys, cliToken.userId, params.name, parseInput(newDeploySchema, body));
      forget(cliToken.userId);
      return plan;
    },
  );

  app.put("/api/cli/deploys/:id/files", ofDeploy, async ({ cliToken, params, body, headers }) => {
    if (!(body instanceof Readable)) throw new AppError("error_media_type");
    await receiveBlobs(deploys, cliToken.userId, params.id, body, contentLength(headers));
    return { ok: true };
  });

  app.post("/api/cli/deploys/:id/finish", ofDeploy, async ({ cliToken, params, body, headers }, reply) => {
    // The last files may come with this request.
    if (body instanceof Readable) await receiveBlobs(deploys, cliToken.userId, params.id, body, contentLength(headers));
    const { deploy, missing } = await finishDeploy(deploys, cliToken.userId, params.id);
    if (missing.length > 0) return reply.code(409).send({ error: "error_deploy_incomplete", missing });
    forget(cliToken.userId);
    const answer: PublishedDeploy = { id: deploy.id, url: branchUrl(deploy.name, deploy.branch, deploys.sites) };
    return answer;
  });

  app.post("/api/cli/projects/:name/rollback", ofProject, async ({ cliToken, params, body }) => {
    const { deploy, branch } = parseInput(cliRollBackSchema, body);
    await rollBackByName(deploys.db, cliToken.userId, params.name, { deployId: deploy, branch });
    forget(cliToken.userId);
    const answer: PublishedDeploy = { id: deploy, url: branchUrl(params.name, branch, deploys.sites) };
    return answer;
  });
}

function contentLength({ "content-length": length }: IncomingHttpHeaders): number | undefined {
  return length === undefined ? undefined : Number(length);
}
