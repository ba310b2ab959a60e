import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

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
    if (existsSync(file)) return { settings: JSON.parse(readFileSync(file, "utf8")), folder };
    if (folder === dirname(folder)) return undefined;
  }
}

export function writeSettings(folder: string, settings: ProjectSettings) {
  writeFileSync(join(folder, settingsFile), `${JSON.stringify(settings, null, 2)}\n`);
}

/** Where a program's own files are, on each system. */
export function ownFolder(kind: "config" | "cache"): string {
  const { env } = process;
  if (platform === "win32") return join(env["LOCALAPPDATA"] ?? join(homedir(), "AppData/Local"), "nido", kind);
  const base = kind === "config" ? env["XDG_CONFIG_HOME"] : env["XDG_CACHE_HOME"];
  return join(base ?? join(homedir(), kind === "config" ? ".config" : ".cache"), "nido");
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
