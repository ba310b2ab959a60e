import { platform } from "node:process";
import type { CliProject } from "@nido/contract";
import type { Context } from "../Context.ts";
import { detectSite } from "../detectSite.ts";
import { exitCodes, Failure } from "../Failure.ts";
import type { Options } from "../options.ts";
import { type ProjectSettings, writeSettings } from "../projectSettings.ts";

export async function init(context: Context, { dir }: Options) {
  context.terminal.data(await initProject(context, dir));
}

export async function initProject(context: Context, dir?: string): Promise<ProjectSettings> {
  const { t, terminal } = context;
  // Settings without a project, as in a template, are completed.
  const { settings: begun, folder: place } = context.settings();
  const base = begun.project ? process.cwd() : place;
  const { project, folder } = await chooseSettings(context, dir ?? (begun.project ? undefined : begun.folder));
  // The file is shared by everybody who works on the site, so its path must be valid on any system.
  const settings = { project, folder: platform === "win32" ? folder.replaceAll("\\", "/") : folder };
  writeSettings(base, settings);
  terminal.succeed(t.initDone(settings.project, settings.folder));
  return settings;
}

/** Takes the settings from the options, and prompts for the others. Fails if it cannot prompt. */
async function chooseSettings(context: Context, dir?: string): Promise<ProjectSettings> {
  const { options, t, terminal } = context;
  const projects = await context.signedIn().call<CliProject[]>("GET", "/projects");
  if (projects.length === 0) throw new Failure(t.noProjects);
  const only = projects.length === 1 ? projects[0]?.name : undefined;
  const project = options.project || only;
  const folder = dir ?? (options.yes ? detectSite(process.cwd()).folder : undefined);
  if (project && !projects.some(({ name }) => name === project)) throw new Failure(t.errors.error_project_not_found);
  if (project && folder) return { project, folder };
  if (!terminal.isInteractive || options.yes) {
    const needed = [!project && "--project", !folder && "--dir"].filter(Boolean).join(", ");
    throw new Failure(t.promptNeeded(needed), exitCodes.promptNeeded);
  }

  return {
    project: project ?? (await promptForProject(context, projects)),
    folder: folder ?? (await promptForFolder(context)),
  };
}

async function promptForProject({ t, terminal }: Context, projects: CliProject[]): Promise<string> {
  terminal.say(t.whichProject);
  for (const [index, { name, url }] of projects.entries())
    terminal.say(`  ${index + 1}  ${name}  ${terminal.paint("dim", url)}`);
  for (;;) {
    const answer = await terminal.prompt(t.whichNumber);
    if (answer === undefined) throw new Failure(t.cancelled);
    const chosen = projects.find(({ name }, index) => answer === name || answer === String(index + 1));
    if (chosen) return chosen.name;
  }
}

async function promptForFolder({ t, terminal }: Context): Promise<string> {
  const { generator, folder } = detectSite(process.cwd());
  if (generator) terminal.say(t.generatorFound(generator, folder));
  const answer = await terminal.prompt(t.whichFolder(folder));
  if (answer === undefined) throw new Failure(t.cancelled);
  return answer || folder;
}
