import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { sitesGroup } from "./names.ts";

/** The id of a unix group; throws if it does not exist. */
export function groupId(name: string): number {
  const [, id] = new RegExp(`^${name}:[^:]*:(\\d+):`, "m").exec(readFileSync("/etc/group", "utf8")) ?? [];
  if (id === undefined) throw new Error(`unix group ${name} does not exist`);
  return Number(id);
}

export function userId(name: string): number | undefined {
  const [, id] = new RegExp(`^${name}:[^:]*:(\\d+):`, "m").exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The id of a unix user; throws if it does not exist. */
export function requireUser(name: string): number {
  const id = userId(name);
  if (id === undefined) throw new Error(`unix user ${name} does not exist`);
  return id;
}

export function createSitesGroup() {
  execFileSync("groupadd", ["--force", "--system", sitesGroup]);
}

/** Creates a user without home, shell or password. All site users share one group, which owns no files. */
export function createAccount(name: string) {
  if (userId(name) !== undefined) return;
  const nowhere = ["--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"];
  execFileSync("useradd", ["--system", "--no-user-group", "--gid", sitesGroup, ...nowhere, name]);
}

export function removeAccount(name: string) {
  if (userId(name) !== undefined) execFileSync("userdel", [name]);
}
