import { cp, readFile, stat } from "node:fs/promises";
import { unzip } from "./unzip.ts";

/** WORDPRESS_CORE: a folder that contains WordPress, or its release zip. */
export function coreAt(path: string) {
  return async (target: string) => {
    if ((await stat(path)).isDirectory()) await cp(path, target, { recursive: true });
    else await unzip(await readFile(path), target, "wordpress/");
  };
}
