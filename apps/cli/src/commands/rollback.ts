import type { PublishedDeploy } from "@nido/contract";
import type { Context } from "../Context.ts";

export async function rollback(context: Context, deploy: string | undefined, { branch }: { branch?: string }) {
  const path = `/projects/${encodeURIComponent(context.projectName())}/rollback`;
  const shown = await context.signedIn().call<PublishedDeploy>("POST", path, { deploy, branch });
  context.terminal.succeed(context.t.rolledBack(shown.url));
  context.terminal.result(shown.url, shown);
}
