import type { PublishedDeploy } from "@nido/contract";
import type { Context } from "../Context.ts";
import { findDeploy } from "../findDeploy.ts";

/** Shows on main what a branch shows, or a deploy of any branch. */
export async function promote(context: Context, which: string) {
  const project = await context.project();
  const deploy = Object.hasOwn(project.branches, which)
    ? project.branches[which]?.deploy
    : findDeploy(context.t, project, which);
  const path = `/projects/${encodeURIComponent(project.name)}/promote`;
  const live = await context.signedIn().call<PublishedDeploy>("POST", path, { deploy });
  context.terminal.succeed(context.t.rolledBack(live.url, live.id));
  context.terminal.result(live.url, live);
}
