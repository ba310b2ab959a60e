import type { CliProject } from "@nido/contract";
import type { Context } from "../Context.ts";

export async function list(context: Context) {
  const projects = await context.signedIn().call<CliProject[]>("GET", "/projects");
  const lines = projects.map(({ name, url }) => `${name}\t${url}`);
  context.terminal.list(lines, projects, context.t.noProjects);
}
