import { mainBranch, type PublishedDeploy, type ToolProject } from "@nido/contract";
import type { Context } from "../Context.ts";
import { Failure } from "../Failure.ts";
import type { Options } from "../options.ts";

export async function rollback(context: Context, { branch }: Options, wanted?: string) {
  const path = `/projects/${encodeURIComponent(context.projectName())}/rollback`;
  // By its id: "the one before" would be another one, were the question repeated.
  const deploy = wanted ?? previousOf(await context.project(), branch ?? mainBranch);
  if (deploy === undefined) throw new Failure(context.t.nothingBefore);
  const shown = await context.signedIn().call<PublishedDeploy>("POST", path, { deploy, branch });
  context.terminal.succeed(context.t.rolledBack(shown.url, shown.id));
  context.terminal.result(shown.url, shown);
}

function previousOf({ deploys, branches }: ToolProject, branch: string): string | undefined {
  const finished = deploys
    .filter((deploy) => deploy.branch === branch && deploy.finished_at !== undefined)
    .sort((a, b) => (String(a.finished_at) < String(b.finished_at) ? 1 : -1));
  const shown = finished.findIndex(({ id }) => id === branches[branch]?.deploy);
  const previous = shown < 0 ? undefined : finished[shown + 1];
  return previous?.id;
}
