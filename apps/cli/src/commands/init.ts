import { existsSync } from "node:fs";
import { join } from "node:path";
import { platform } from "node:process";
import type { ToolProject } from "@nido/contract";
import type { Context } from "../Context.ts";
import { exitCodes, Failure } from "../Failure.ts";
import type { Options } from "../options.ts";
import { type ProjectSettings, writeSettings } from "../settings.ts";

/** Where builders put what they build. */
const usual = ["dist", "build", "out", "public", "_site"];

export function detectFolder(from: string): string {
  return usual.find((name) => existsSync(join(from, name))) ?? ".";
}

export async function init(context: Context, { dir }: Options) {
  const { t, terminal } = context;
  const { project, folder: chosen } = await choose(context, dir);
  // The file is for everybody who works on the site, on any system.
  const settings = { project, folder: platform === "win32" ? chosen.replaceAll("\\", "/") : chosen };
  writeSettings(process.cwd(), settings);
  terminal.succeed(t.initDone(settings.project, settings.folder));
  terminal.data(settings);
}

/** What is not given is asked for; where nobody can be asked, that is said. */
async function choose(context: Context, dir?: string): Promise<ProjectSettings> {
  const { options, t, terminal } = context;
  const projects = await context.signedIn().call<ToolProject[]>("GET", "/projects");
  if (projects.length === 0) throw new Failure(t.noProjects);
  const only = projects.length === 1 ? projects[0]?.name : undefined;
  const project = options.project || only;
  const folder = dir ?? (options.yes ? detectFolder(process.cwd()) : undefined);
  if (project && !projects.some(({ name }) => name === project)) throw new Failure(t.errors.error_project_not_found);
  if (project && folder) return { project, folder };
  if (!terminal.isInteractive || options.yes) {
    const needed = [!project && "--project", !folder && "--dir"].filter(Boolean).join(", ");
    throw new Failure(t.promptNeeded(needed), exitCodes.promptNeeded);
  }

  return { project: project ?? (await askProject(context, projects)), folder: folder ?? (await askFolder(context)) };
}

async function askProject({ t, terminal }: Context, projects: ToolProject[]): Promise<string> {
  terminal.say(t.whichProject);
  for (const [index, { name, url }] of projects.entries())
    terminal.say(`  ${index + 1}  ${name}  ${terminal.paint("dim", url)}`);
  for (;;) {
    const answer = await terminal.ask(t.whichNumber);
    if (answer === undefined) throw new Failure(t.cancelled);
    const chosen = projects.find(({ name }, index) => answer === name || answer === String(index + 1));
    if (chosen) return chosen.name;
  }
}

async function askFolder({ t, terminal }: Context): Promise<string> {
  const detected = detectFolder(process.cwd());
  const answer = await terminal.ask(t.whichFolder(detected));
  if (answer === undefined) throw new Failure(t.cancelled);
  return answer || detected;
}
