import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import {
  type Actor,
  cliPromoteSchema,
  cliRollBackSchema,
  filesMediaType,
  mainBranch,
  type PublishedDeploy,
  sitePasswordSchema,
} from "@nido/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { hashPassword } from "../auth/passwords.ts";
import { changeByName, promote, removeBranch, rollBack } from "../deploys/changeBranch.ts";
import { finishDeploy } from "../deploys/finishDeploy.ts";
import { parseInThread } from "../deploys/plan/parseInThread.ts";
import { planDeploy, requireStaticProject } from "../deploys/plan/planDeploy.ts";
import { branchUrl } from "../deploys/presentDeploys.ts";
import { findReport } from "../deploys/reports.ts";
import { setSitePassword } from "../deploys/sitePasswords.ts";
import { receiveBlobs } from "../deploys/upload/receiveBlobs.ts";
import { deployUrl } from "../domains/deployAddress.ts";
import { abortRequest } from "../http/abortRequest.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import { type CliToken, requireDeployAccess, requireProjectAccess } from "./accessTokens.ts";
import type { PublishApi } from "./CliApi.ts";
import { nameParams } from "./projects.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** who publishes: the holder of a token, or the customer in the dashboard */
    publisher: Publisher;
  }
}

interface Publisher extends Pick<CliToken, "userId" | "projectId" | "access"> {
  actor: Actor;
}

/** Enough for 100,000 files, the most that a deploy can have, with paths of 300 characters. */
const maxPlanBytes = 40 * 2 ** 20;
/** The time that the body of a plan may take to arrive. */
const maxPlanTime = 120_000;
const json = "application/json; charset=utf-8";

/** Publishing: plan, upload the missing files, finish; rolling back, promoting, and removing a branch. */
export function deployRoutes(scope: FastifyInstance, prefix: string, api: PublishApi) {
  const { deploys, limiter, forget } = api;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const limited = async ({ publisher }: FastifyRequest) => limiter.take("deployRequests", publisher.userId);
  const ofDeploy = { schema: { params: idParams }, preParsing: limited, config: { isUpload: true } };
  const limitedReports = async ({ publisher }: FastifyRequest) => limiter.take("deployReports", publisher.userId);
  const ofReport = { schema: { params: idParams }, preParsing: limitedReports };
  const ofProject = { schema: { params: nameParams }, preParsing: limited };
  const ofBranch = { schema: { params: nameParams.extend({ branch: z.string().max(20) }) }, preParsing: limited };
  // Uploads are streamed, not parsed.
  app.addContentTypeParser(filesMediaType, (_request, payload, done) => done(null, payload));

  app.register((planning) => planRoute(planning, prefix, api));

  app.put(`${prefix}/deploys/:id/files`, ofDeploy, async ({ publisher, params, body, headers }) => {
    if (!(body instanceof Readable)) throw new AppError("error_media_type");
    await requireDeployAccess(deploys.db, publisher, params.id);
    const report = await receiveBlobs(deploys, publisher.userId, params.id, body, contentLength(headers));
    if (report !== undefined) throw new AppError("error_invalid_input");
    return { ok: true };
  });

  app.get(`${prefix}/deploys/:id/report`, ofReport, async ({ publisher, params }) => {
    await requireDeployAccess(deploys.db, publisher, params.id);
    return findReport(deploys.db, publisher.userId, params.id);
  });

  app.post(`${prefix}/deploys/:id/finish`, ofDeploy, async (request, reply) => {
    const { publisher, params, body, headers } = request;
    await requireDeployAccess(deploys.db, publisher, params.id);
    // The report and the last files may come with this request.
    const report =
      body instanceof Readable
        ? await receiveBlobs(deploys, publisher.userId, params.id, body, contentLength(headers))
        : undefined;
    const { deploy, missing } = await finishDeploy(deploys, publisher.userId, publisher.actor, params.id, report);
    if (missing !== null)
      return reply.code(409).type(json).send(`{"error":"error_deploy_incomplete","missing":${missing}}`);
    forget(publisher.userId);
    return present(deploy.name, deploy.branch, deploy.id);
  });

  app.post(`${prefix}/projects/:name/rollback`, ofProject, async (request) => {
    const { publisher, params, body } = request;
    const { deploy, branch } = parseInput(cliRollBackSchema, body);
    await requireProjectAccess(deploys.db, publisher, params.name);
    await change(publisher, params.name, (tx, projectId) =>
      rollBack(tx, publisher.userId, { project_id: projectId, deploy_id: deploy, branch }),
    );
    return present(params.name, branch, deploy);
  });

  app.post(`${prefix}/projects/:name/promote`, ofProject, async ({ publisher, params, body }) => {
    const { deploy } = parseInput(cliPromoteSchema, body);
    await requireProjectAccess(deploys.db, publisher, params.name);
    await change(publisher, params.name, (tx, projectId) =>
      promote(tx, publisher.userId, { project_id: projectId, deploy_id: deploy }),
    );
    return present(params.name, mainBranch, deploy);
  });

  app.delete(`${prefix}/projects/:name/branches/:branch`, ofBranch, async ({ publisher, params }) => {
    await requireProjectAccess(deploys.db, publisher, params.name);
    await change(publisher, params.name, (tx, projectId) =>
      removeBranch(tx, publisher.userId, { project_id: projectId, branch: params.branch }),
    );
    return { ok: true };
  });

  app.put(`${prefix}/projects/:name/password`, ofProject, async ({ publisher, params, body }) => {
    const { branch = "", password } = parseInput(sitePasswordSchema, body);
    await requireProjectAccess(deploys.db, publisher, params.name);
    await requireStaticProject(deploys.db, publisher.userId, params.name);
    await limiter.take("sitePasswordChanges", publisher.userId);
    const hash = password === null ? null : await hashPassword(password);
    await change(publisher, params.name, (tx, projectId) =>
      setSitePassword(tx, publisher.userId, { projectId, branch, hash }),
    );
    return { ok: true };
  });

  async function change({ userId, actor }: Publisher, name: string, act: Parameters<typeof changeByName>[4]) {
    await changeByName(deploys.db, userId, actor, name, act);
    forget(userId);
  }

  function present(project: string, branch: string, id: string): PublishedDeploy {
    const permanent = deployUrl(project, id, deploys.sites);
    return { id, url: branchUrl(project, branch, deploys.sites), ...(permanent && { deploy_url: permanent }) };
  }
}

/** The plan's list of files may be long: it is read only for a project of the customer's, and parsed in a thread. */
async function planRoute(scope: FastifyInstance, prefix: string, { deploys, limiter, slots, forget }: PublishApi) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  const authorize = async ({ publisher, params, headers, raw }: FastifyRequest, reply: FastifyReply) => {
    await limiter.take("deployPlans", publisher.userId);
    const { name } = nameParams.parse(params);
    await requireProjectAccess(deploys.db, publisher, name);
    await requireStaticProject(deploys.db, publisher.userId, name);
    const release = slots.take(publisher.userId, contentLength(headers));
    const timer = setTimeout(() => abortRequest(raw), maxPlanTime);
    raw.once("end", () => clearTimeout(timer));
    reply.raw.once("close", () => {
      clearTimeout(timer);
      release();
    });
  };
  app.post(
    `${prefix}/projects/:name/deploys`,
    { schema: { params: nameParams }, bodyLimit: maxPlanBytes, preParsing: authorize, config: { isUpload: true } },
    async ({ publisher, params, body }, reply) => {
      if (!Buffer.isBuffer(body)) throw new AppError("error_media_type");
      const plan = await planDeploy(deploys, publisher.userId, params.name, await parseInThread(body));
      forget(publisher.userId);
      return reply.type(json).send(plan);
    },
  );
}

function contentLength({ "content-length": length }: IncomingHttpHeaders): number | undefined {
  return length === undefined ? undefined : Number(length);
}
