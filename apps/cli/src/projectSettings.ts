import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The content of `nido.json`. */
export interface ProjectSettings {
  project: string;
  /** the folder that is published */
  folder: string;
  /** the command that makes it, run before publishing */
  build?: string;
}

export const settingsFile = "nido.json";

/** Finds `nido.json` in this folder or the nearest one above it. */
export function findSettings(from: string): { settings: Partial<ProjectSettings>; folder: string } | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, settingsFile);
    if (existsSync(file)) return { settings: parseSettings(readFileSync(file, "utf8")), folder };
    if (folder === dirname(folder)) return undefined;
  }
}

function parseSettings(text: string): Partial<ProjectSettings> {
  const { project, folder, build } = Object(JSON.parse(text));
  const isValid = (value: unknown) => value === undefined || (typeof value === "string" && value !== "");
  if (![project, folder, build].every(isValid))
    throw new Error(`"project", "folder" and "build" in ${settingsFile} must be non-empty strings`);
  return { project, folder, build };
}

export function writeSettings(folder: string, settings: ProjectSettings) {
  writeFileSync(join(folder, settingsFile), `${JSON.stringify(settings, null, 2)}\n`);
}
