import { type CliProject, mainBranch, type PublishedDeploy } from "@nido/contract";
import type { Context } from "../Context.ts";
import { Failure } from "../Failure.ts";
import type { Options } from "../options.ts";

export async function rollback(context: Context, { branch }: Options, deployId?: string) {
  const path = `/projects/${encodeURIComponent(context.projectName())}/rollback`;
  // The request names the deploy by its id to be idempotent: "the previous one" would go back further with each retry.
  const deploy = deployId ?? previousDeployId(await context.project(), branch ?? mainBranch);
  if (deploy === undefined) throw new Failure(context.t.nothingBefore);
  const live = await context.signedIn().call<PublishedDeploy>("POST", path, { deploy, branch });
  context.terminal.succeed(context.t.rolledBack(live.url, live.id));
  context.terminal.result(live.url, live);
}

function previousDeployId({ deploys, branches }: CliProject, branch: string): string | undefined {
  const finished = deploys
    .filter((deploy) => deploy.branch === branch && deploy.finished_at !== undefined)
    .sort((a, b) => (String(a.finished_at) < String(b.finished_at) ? 1 : -1));
  const live = finished.findIndex(({ id }) => id === branches[branch]?.deploy);
  const previous = live < 0 ? undefined : finished[live + 1];
  return previous?.id;
}
