import type { Deploy, ToolProject } from "@nido/contract";
import type { Context } from "../Context.ts";
import { openBrowser } from "../openBrowser.ts";

export async function list(context: Context) {
  const projects = await context.signedIn().call<ToolProject[]>("GET", "/projects");
  const lines = projects.map(({ name, url }) => `${name}\t${url}`);
  context.terminal.list(lines, projects, context.t.noProjects);
}

export async function deploys(context: Context) {
  const { t, terminal } = context;
  const project = await context.project();
  const shown = new Set(Object.values(project.branches).map(({ deploy }) => deploy));
  const finished = project.deploys.filter(({ finished_at: at }) => at !== undefined);
  const line = ({ id, branch, finished_at: at = "", files, message }: Deploy) =>
    [id, new Date(at).toLocaleString(), branch, t.files(files), shown.has(id) ? t.live : "", message].join("\t");
  const data = finished.map((deploy) => ({ ...deploy, live: shown.has(deploy.id) }));
  terminal.list(finished.map(line), data, t.noDeploys);
}

export async function domains(context: Context) {
  const { domains: own } = await context.project();
  const lines = own.map(({ domain, status, branch }) => [domain, branch, status].join("\t"));
  context.terminal.list(lines, own, "");
}

export async function open(context: Context) {
  const { url } = await context.project();
  openBrowser(url);
  context.terminal.result(url, { url });
}
