import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** What `nido.json` says: which project, and the folder that is published. */
export interface ProjectSettings {
  project: string;
  folder: string;
}

/** What this machine knows of a server. */
export interface Login {
  token: string;
  email: string;
  lang: "es" | "en";
}

export const settingsFile = "nido.json";
const { platform } = process;

/** The nearest `nido.json`, from here upwards, and where it is. */
export function findSettings(from: string): { settings: Partial<ProjectSettings>; folder: string } | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const file = join(folder, settingsFile);
    if (existsSync(file)) return { settings: check(JSON.parse(readFileSync(file, "utf8"))), folder };
    if (folder === dirname(folder)) return undefined;
  }
}

function check(settings: unknown): Partial<ProjectSettings> {
  const { project, folder } = Object(settings);
  const isText = (value: unknown) => value === undefined || (typeof value === "string" && value !== "");
  if (!isText(project) || !isText(folder)) throw new Error("not what it should be");
  return { project, folder };
}

export function writeSettings(folder: string, settings: ProjectSettings) {
  writeFileSync(join(folder, settingsFile), `${JSON.stringify(settings, null, 2)}\n`);
}

/** Where a program's own files are, on each system. */
export function ownFolder(kind: "config" | "cache"): string {
  const { env } = process;
  const isWindows = platform === "win32";
  const named = isWindows ? env["LOCALAPPDATA"] : kind === "config" ? env["XDG_CONFIG_HOME"] : env["XDG_CACHE_HOME"];
  const usual = join(homedir(), isWindows ? "AppData/Local" : kind === "config" ? ".config" : ".cache");
  // What is not a whole path would lead into the folder that somebody happens to be in.
  const base = named && isAbsolute(named) ? named : usual;
  return isWindows ? join(base, "nido", kind) : join(base, "nido");
}

const loginsFile = () => join(ownFolder("config"), "logins.json");

function readLogins(): Record<string, Login> {
  try {
    return JSON.parse(readFileSync(loginsFile(), "utf8"));
  } catch {
    return {};
  }
}

export function findLogin(server: URL): Login | undefined {
  return readLogins()[server.origin];
}

/** The server of the only login there is. */
export function onlyServer(): string | undefined {
  const [first, ...more] = Object.keys(readLogins());
  return more.length === 0 ? first : undefined;
}

/** Readable by this user alone. */
export function saveLogin(server: URL, login: Login | undefined) {
  const { [server.origin]: _, ...others } = readLogins();
  const logins = login ? { ...others, [server.origin]: login } : others;
  mkdirSync(ownFolder("config"), { recursive: true, mode: 0o700 });
  const unfinished = `${loginsFile()}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(logins, null, 2), { mode: 0o600 });
  renameSync(unfinished, loginsFile());
}

/** The server that handed this program out. */
export function homeServer(): string | undefined {
  try {
    return JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8")).nido?.server;
  } catch {
    return undefined;
  }
}
