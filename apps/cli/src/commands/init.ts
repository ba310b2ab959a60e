import { existsSync } from "node:fs";
import { join } from "node:path";
import { platform } from "node:process";
import type { ToolProject } from "@nido/contract";
import type { Context } from "../Context.ts";
import { exitCodes, Failure } from "../Failure.ts";
import { type ProjectSettings, writeSettings } from "../settings.ts";

/** Where builders put what they build. */
const usual = ["dist", "build", "out", "public", "_site"];

export function detectFolder(from: string): string {
  return usual.find((name) => existsSync(join(from, name))) ?? ".";
}

export async function init(context: Context, { dir }: { dir?: string }) {
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
  const detected = detectFolder(process.cwd());
  const only = projects.length === 1 ? projects[0]?.name : undefined;
  const project = options.project ?? (options.yes ? only : undefined);
  const folder = dir ?? (options.yes ? detected : undefined);
  if (project && !projects.some(({ name }) => name === project)) throw new Failure(t.errors.error_project_not_found);
  if (project && folder) return { project, folder };
  if (!terminal.isInteractive || options.yes)
    throw new Failure(t.promptNeeded("--project, --dir"), exitCodes.promptNeeded);

  const { isCancel, select, text } = await import("@clack/prompts");
  const answer = (given: string | symbol): string => {
    if (isCancel(given)) throw new Failure(t.cancelled);
    return given as string;
  };
  const names = projects.map(({ name, url }) => ({ value: name, label: name, hint: url }));
  return {
    project: project ?? answer(await select({ message: t.whichProject, options: names, output: process.stderr })),
    folder:
      folder ??
      (answer(await text({ message: t.whichFolder, initialValue: detected, output: process.stderr })) || detected),
  };
}
