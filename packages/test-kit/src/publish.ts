import { createHash } from "node:crypto";
import { type DeployPlan, filesMediaType, frameHead, type NewDeploy, type PublishedDeploy } from "@nido/contract";
import { createCliToken } from "@nido/server/cli/accessTokens";
import { listen, startApp, type TestApp } from "./app.ts";
import type { WhenDone } from "./database.ts";
import { addProject } from "./seed.ts";
import { ask } from "./sites.ts";

export type Files = Record<string, string | Buffer>;

export function sha256Of(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

export function announced(files: Files): NewDeploy["files"] {
  return Object.entries(files).map(([path, content]) => ({
    path,
    sha256: sha256Of(content),
    size: Buffer.byteLength(content),
  }));
}

/** The body of an upload: the files one after the other, each with its header. */
export function framed(contents: (string | Buffer)[], named = sha256Of): Buffer {
  return Buffer.concat(
    contents.flatMap((content) => {
      const bytes = Buffer.from(content);
      return [frameHead({ sha256: named(content), size: bytes.length }), bytes];
    }),
  );
}

/** The API calls of the CLI, with a customer's token. */
export function cliOf(address: string, token: string, host = "localhost:3000") {
  const call = async <Answer = { error?: string }>(method: string, path: string, body?: unknown) => {
    const content = Buffer.isBuffer(body) ? filesMediaType : "application/json";
    const { status, text } = await ask(address, host, `/api/cli${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": content }) },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    return { status, body: JSON.parse(text) as Answer };
  };
  const plan = (project: string, files: Files, more: Partial<NewDeploy> = {}) =>
    call<DeployPlan & { error?: string; detail?: string }>("POST", `/projects/${project}/deploys`, {
      key: crypto.randomUUID(),
      files: announced(files),
      ...more,
    });
  return {
    call,
    plan,
    /** Publishes these files, and returns the deploy and how many files were sent. */
    publish: async (project: string, files: Files, more: Partial<NewDeploy> = {}) => {
      const { body: planned } = await plan(project, files, more);
      const contents = new Map(Object.values(files).map((content) => [sha256Of(content), content]));
      const missing = planned.missing.map((sha256) => contents.get(sha256) ?? "");
      if (missing.length > 0) await call("PUT", `/deploys/${planned.id}/files`, framed(missing));
      const { status, body } = await call<PublishedDeploy>("POST", `/deploys/${planned.id}/finish`);
      if (status !== 200) throw new Error(`Finishing the deploy returned ${status}: ${JSON.stringify(body)}`);
      return { ...body, sent: missing.length };
    },
  };
}

export async function giveToken({ db }: Pick<TestApp, "db">, userId: string): Promise<string> {
  return db.transaction((tx) => createCliToken(tx, userId, { kind: "ci", name: "test", days: 1 }));
}

/** The product with a customer who has a static site. */
export async function openPublisher(
  createCustomer: (server: TestApp) => Promise<string>,
  { whenDone, env }: { whenDone?: WhenDone; env?: Record<string, string> } = {},
) {
  const server = await startApp({ ...(whenDone && { whenDone }), ...(env && { env }) });
  const address = await listen(server);
  const userId = await createCustomer(server);
  await addProject(server.db, userId, "folio", { recipe: "static_starter" });
  return { server, address, userId, cli: cliOf(address, await giveToken(server, userId)) };
}
