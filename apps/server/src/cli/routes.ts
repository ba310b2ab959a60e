import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import {
  categoryOf,
  filesMediaType,
  type NamedToken,
  newDeploySchema,
  type PublishedDeploy,
  rollBackByToolSchema,
  type ToolAccount,
  type ToolProject,
} from "@nido/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findUser, lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Releases } from "../deploys/Deploys.ts";
import { finishDeploy } from "../deploys/finishDeploy.ts";
import { planDeploy } from "../deploys/planDeploy.ts";
import { branchUrl } from "../deploys/presentDeploys.ts";
import { findOwnStatic } from "../deploys/queries.ts";
import { rollBack } from "../deploys/rollBack.ts";
import { receiveBlobs } from "../deploys/upload/receiveBlobs.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import type { CustomerStates } from "../state/CustomerStates.ts";
import { deleteToken, findNamed, insertToken, requireTool } from "./accessTokens.ts";

const mostAnnounced = 40 * 2 ** 20;
const nameParams = z.object({ name: z.string().max(20) });
const newToken = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^\P{Cc}+$/u),
});

interface Options {
  releases: Releases;
  states: CustomerStates;
  /** This customer's things changed: this process must not answer from memory. */
  forget(userId: string): void;
}

/** What the command-line tool calls. No cookie counts here: a tool shows its token. */
export async function toolRoutes(scope: FastifyInstance, { releases, states, forget }: Options) {
  const { db, sites } = releases;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  // Before a body is read.
  app.addHook("onRequest", requireTool(db));
  const config = { rateLimit: { max: 3000, timeWindow: "1 minute" } };
  app.addContentTypeParser(filesMediaType, (_request, payload, done) => done(null, payload));

  const projectsOf = async (userId: string): Promise<ToolProject[]> => {
    const entry = await states.find(userId);
    return Object.values(entry?.state.projects ?? {})
      .filter(({ recipe }) => categoryOf(recipe) === "static")
      .map(({ name, url, status, domains, deploys = {}, branches = {} }) => ({
        name,
        url,
        status,
        branches,
        deploys: Object.values(deploys),
        domains: Object.values(domains),
      }));
  };
  const projectOf = async (userId: string, name: string): Promise<ToolProject> => {
    const project = (await projectsOf(userId)).find((one) => one.name === name);
    if (!project) throw new AppError("error_project_not_found");
    return project;
  };

  app.get("/api/cli/me", async ({ tool }) => {
    const user = await findUser(db, tool.userId);
    if (!user) throw new AppError("error_signed_out");
    const answer: ToolAccount = { email: user.email, lang: user.lang };
    return answer;
  });
  app.delete("/api/cli/me", async ({ tool }) => {
    if (tool.kind === "login") await deleteToken(db, tool.userId, tool.id);
    return { ok: true };
  });

  app.get("/api/cli/projects", ({ tool }) => projectsOf(tool.userId));
  app.get("/api/cli/projects/:name", { schema: { params: nameParams } }, ({ tool, params }) =>
    projectOf(tool.userId, params.name),
  );

  app.post(
    "/api/cli/projects/:name/deploys",
    {
      schema: { params: nameParams },
      bodyLimit: mostAnnounced,
      config: { rateLimit: { max: 120, timeWindow: "1 minute" } },
    },
    async ({ tool, params, body }) => {
      const plan = await planDeploy(releases, tool.userId, params.name, parseInput(newDeploySchema, body));
      forget(tool.userId);
      return plan;
    },
  );
  app.put("/api/cli/deploys/:id/files", { schema: { params: idParams }, config }, async (request) => {
    const { tool, params, body, headers } = request;
    if (!(body instanceof Readable)) throw new AppError("error_media_type");
    await receiveBlobs(releases, tool.userId, params.id, body, lengthOf(headers));
    return { ok: true };
  });
  app.post("/api/cli/deploys/:id/finish", { schema: { params: idParams }, config }, async (request, reply) => {
    const { tool, params, body, headers } = request;
    // The last files may come along.
    if (body instanceof Readable) await receiveBlobs(releases, tool.userId, params.id, body, lengthOf(headers));
    const { deploy, missing } = await finishDeploy(releases, tool.userId, params.id);
    if (missing.length > 0) return reply.code(409).send({ error: "error_deploy_incomplete", missing });
    forget(tool.userId);
    const answer: PublishedDeploy = { id: deploy.id, url: branchUrl(deploy.name, deploy.branch, sites) };
    return answer;
  });
  app.post(
    "/api/cli/projects/:name/rollback",
    { schema: { params: nameParams }, config },
    async ({ tool, params, body }) => {
      const { deploy, branch } = parseInput(rollBackByToolSchema, body);
      await db.transaction(async (tx) => {
        await lockUser(tx, tool.userId);
        const project = await findOwnStatic(tx, tool.userId, params.name);
        if (!project) throw new AppError("error_project_not_found");
        await rollBack(tx, tool.userId, { project_id: project.id, deploy_id: deploy, branch });
        await announceChange(tx, tool.userId);
      });
      forget(tool.userId);
      const answer: PublishedDeploy = { id: deploy, url: branchUrl(params.name, branch, sites) };
      return answer;
    },
  );

  const forPeople = async ({ tool }: FastifyRequest) => {
    if (tool.kind !== "login") throw new AppError("error_login_needed");
  };
  app.get("/api/cli/tokens", { preHandler: forPeople }, async ({ tool }): Promise<NamedToken[]> => {
    const tokens = await findNamed(db, tool.userId);
    return tokens.map(({ id, name, createdAt, usedAt }) => ({
      id,
      name,
      created_at: createdAt.toISOString(),
      used_at: usedAt?.toISOString() ?? null,
    }));
  });
  app.post("/api/cli/tokens", { schema: { body: newToken }, preHandler: forPeople }, async ({ tool, body }) => ({
    token: await db.transaction((tx) => insertToken(tx, tool.userId, "ci", body.name)),
  }));
  app.delete(
    "/api/cli/tokens/:id",
    { schema: { params: idParams }, preHandler: forPeople },
    async ({ tool, params }) => {
      if (!(await deleteToken(db, tool.userId, params.id))) throw new AppError("error_not_found");
      return { ok: true };
    },
  );
}

function lengthOf({ "content-length": length }: IncomingHttpHeaders): number | undefined {
  return length === undefined ? undefined : Number(length);
}
