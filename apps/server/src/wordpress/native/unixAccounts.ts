import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { sitesGroup } from "./names.ts";

/** A unix group's number; throws where there is none of that name. */
export function groupId(name: string): number {
  const [, id] = new RegExp(`^${name}:[^:]*:(\\d+):`, "m").exec(readFileSync("/etc/group", "utf8")) ?? [];
  if (id === undefined) throw new Error(`there is no group ${name}`);
  return Number(id);
}

export function userId(name: string): number | undefined {
  const [, id] = new RegExp(`^${name}:[^:]*:(\\d+):`, "m").exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return id === undefined ? undefined : Number(id);
}

export function createSitesGroup() {
  execFileSync("groupadd", ["--force", "--system", sitesGroup]);
}

/** A user without a home, a shell or a password; all of them are of one group, which owns no file. */
export function createAccount(name: string) {
  if (userId(name) !== undefined) return;
  const nowhere = ["--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"];
  execFileSync("useradd", ["--system", "--no-user-group", "--gid", sitesGroup, ...nowhere, name]);
}

export function removeAccount(name: string) {
  if (userId(name) !== undefined) execFileSync("userdel", [name]);
}
