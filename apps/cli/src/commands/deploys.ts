import type { Deploy } from "@nido/contract";
import type { Context } from "../Context.ts";
import type { Options } from "../options.ts";

export async function deploys(context: Context, { branch: only }: Options) {
  const { t, terminal } = context;
  const project = await context.project();
  const live = new Set(Object.values(project.branches).map(({ deploy }) => deploy));
  const finished = project.deploys.filter(({ finished_at: at, branch }) => at && branch === (only ?? branch));
  const line = ({ id, branch, finished_at: at = "", files, message, url = "" }: Deploy) =>
    [
      id.slice(0, 8),
      new Date(at).toLocaleString(t.locale),
      branch,
      t.files(files),
      live.has(id) ? t.live : "",
      url,
      message,
    ].join("\t");
  const data = finished.map((deploy) => ({ ...deploy, live: live.has(deploy.id) }));
  terminal.list(finished.map(line), data, t.noDeploys);
}
