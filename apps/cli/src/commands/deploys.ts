import type { Deploy } from "@nido/contract";
import type { Context } from "../Context.ts";

export async function deploys(context: Context) {
  const { t, terminal } = context;
  const project = await context.project();
  const live = new Set(Object.values(project.branches).map(({ deploy }) => deploy));
  const finished = project.deploys.filter(({ finished_at: at }) => at !== undefined);
  const line = ({ id, branch, finished_at: at = "", files, message }: Deploy) =>
    [id, new Date(at).toLocaleString(t.locale), branch, t.files(files), live.has(id) ? t.live : "", message].join("\t");
  const data = finished.map((deploy) => ({ ...deploy, live: live.has(deploy.id) }));
  terminal.list(finished.map(line), data, t.noDeploys);
}
