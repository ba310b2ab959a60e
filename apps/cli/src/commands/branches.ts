import type { Context } from "../Context.ts";

export async function listBranches(context: Context) {
  const { t, terminal } = context;
  const { branches } = await context.project();
  const list = Object.entries(branches).map(([name, branch]) => ({ name, ...branch }));
  const line = ({ name, url, deploy, changed_at: at }: (typeof list)[number]) =>
    [name, url, deploy.slice(0, 8), new Date(at).toLocaleString(t.locale)].join("\t");
  terminal.list(list.map(line), list, t.noDeploys);
}

export async function deleteBranch(context: Context, name: string) {
  const path = `/projects/${encodeURIComponent(context.projectName())}/branches/${encodeURIComponent(name)}`;
  await context.signedIn().call("DELETE", path);
  context.terminal.succeed(context.t.branchDeleted(name));
  context.terminal.data({ name });
}
