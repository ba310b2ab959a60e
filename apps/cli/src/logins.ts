import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { userFolder } from "./userFolder.ts";

/** A saved login; there is at most one per server. */
export interface Login {
  token: string;
  email: string;
  lang: "es" | "en";
}

const loginsFile = () => join(userFolder("config"), "logins.json");

export function findLogin(server: URL): Login | undefined {
  return readLogins()[server.origin];
}

/** The server of the saved login, if there is exactly one. */
export function onlyServer(): string | undefined {
  const [first, ...more] = Object.keys(readLogins());
  return more.length === 0 ? first : undefined;
}

/** Saves a login, or removes it, in a file that only this user can read. */
export function saveLogin(server: URL, login: Login | undefined) {
  const { [server.origin]: _, ...others } = readLogins();
  const logins = login ? { ...others, [server.origin]: login } : others;
  mkdirSync(userFolder("config"), { recursive: true, mode: 0o700 });
  const unfinished = `${loginsFile()}.${process.pid}`;
  writeFileSync(unfinished, JSON.stringify(logins, null, 2), { mode: 0o600 });
  renameSync(unfinished, loginsFile());
}

function readLogins(): Record<string, Login> {
  try {
    return JSON.parse(readFileSync(loginsFile(), "utf8"));
  } catch {
    return {};
  }
}
