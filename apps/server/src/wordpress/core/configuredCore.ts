import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { unzip } from "./unzip.ts";

const run = promisify(execFile);

/** Takes WordPress from WORDPRESS_CORE: a folder that contains it, or a release zip. */
export function configuredCore(path: string) {
  return async (target: string) => {
    if ((await stat(path)).isDirectory()) await run("cp", ["-R", `${path}/.`, target]);
    else await unzip(await readFile(path), target, "wordpress/");
  };
}
