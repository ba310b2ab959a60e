import { mainBranch } from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import type { Context } from "../Context.ts";
import { openBrowser } from "../openBrowser.ts";
import type { Options } from "../options.ts";

export async function open(context: Context, { branch = mainBranch }: Options) {
  const project = await context.project();
  const url = branch === mainBranch ? project.url : project.branches[branch]?.url;
  if (!url) throw new ApiError("error_branch_not_found");
  openBrowser(url);
  context.terminal.result(url, { url });
}
