import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The content of `nido.json`. */
export interface ProjectSettings {
  project: string;
  /** the folder that is published */
  folder: string;
  /** the command that makes it, run before publishing */
  build?: string;
  /** false: not every address shows index.html, although the site looks as if it should */
  singlePage?: boolean;
}

export const settingsFile = "nido.json";

/** Finds `nido.json` in this folder or the nearest one above it. */
export function findSettings(from: string): { settings: Partial<ProjectSettings>; folder: string } | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, settingsFile);
    if (existsSync(file) && (folder === resolve(from) || isOwn(file)))
      return { settings: parseSettings(readFileSync(file, "utf8")), folder };
    if (folder === dirname(folder)) return undefined;
  }
}

/** Another user's file above this folder may hold commands that they want us to run. */
function isOwn(file: string): boolean {
  const user = process.getuid?.();
  return user === undefined || statSync(file).uid === user;
}

/** A value in `nido.json` that is not text. The message is its name. */
export class InvalidSetting extends Error {
  override name = "InvalidSetting";
}

function parseSettings(text: string): Partial<ProjectSettings> {
  const { project, folder, build, singlePage } = Object(JSON.parse(text));
  for (const [name, value] of Object.entries({ project, folder, build }))
    if (value !== undefined && (typeof value !== "string" || value === "")) throw new InvalidSetting(name);
  return { project, folder, build, ...(typeof singlePage === "boolean" && { singlePage }) };
}

/** Writes the settings. What else the file says, such as how the site is built, stays. */
export function writeSettings(folder: string, settings: Partial<ProjectSettings>) {
  const file = join(folder, settingsFile);
  const before = existsSync(file) ? Object(JSON.parse(readFileSync(file, "utf8"))) : {};
  writeFileSync(file, `${JSON.stringify({ ...before, ...settings }, null, 2)}\n`);
}
