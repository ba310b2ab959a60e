import { posix } from "node:path";

/** Longer than any path that can be published. */
const maxPathLength = 1100;

/**
 * The decoded path and the query of a request; undefined if no file can have such a path. `moved` is the path without
 * empty segments and dots, if it has any: `//a/../b` is `/b`.
 */
export function parseUrl(url: string): { path: string; query: string; moved?: string } | undefined {
  const mark = url.indexOf("?");
  try {
    const path = decodeURIComponent(mark < 0 ? url : url.slice(0, mark));
    if (!path.startsWith("/") || path.length > maxPathLength) return undefined;
    const query = mark < 0 ? "" : url.slice(mark + 1);
    return isClean(path) ? { path, query } : { path, query, moved: posix.normalize(path) };
  } catch {
    return undefined;
  }
}

function isClean(path: string): boolean {
  return !path.includes("//") && !(path.includes("/.") && /\/\.\.?(\/|$)/.test(path));
}
