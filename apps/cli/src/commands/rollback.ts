import { mainBranch, type PublishedDeploy } from "@nido/contract";
import type { Context } from "../Context.ts";
import { Failure } from "../Failure.ts";
import { findDeploy } from "../findDeploy.ts";
import type { Options } from "../options.ts";

export async function rollback(context: Context, { branch = mainBranch }: Options, id?: string) {
  const project = await context.project();
  // The request names the deploy by its id to be idempotent: "the previous one" would go back further with each retry.
  const deploy = id ? findDeploy(context.t, project, id) : project.branches[branch]?.previous;
  if (deploy === undefined) throw new Failure(context.t.nothingBefore);
  const path = `/projects/${encodeURIComponent(project.name)}/rollback`;
  const live = await context.signedIn().call<PublishedDeploy>("POST", path, { deploy, branch });
  context.terminal.succeed(context.t.rolledBack(live.url, live.id));
  context.terminal.result(live.url, live);
}
