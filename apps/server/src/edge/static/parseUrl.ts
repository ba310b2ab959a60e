/** Longer than any path that can be published. */
const maxPathLength = 1100;

/** The decoded path and the query of a request; undefined if no file can have such a path. */
export function parseUrl(url: string): { path: string; query: string } | undefined {
  const mark = url.indexOf("?");
  try {
    const path = decodeURIComponent(mark < 0 ? url : url.slice(0, mark));
    return path.startsWith("/") && path.length <= maxPathLength && !path.includes("//")
      ? { path, query: mark < 0 ? "" : url.slice(mark + 1) }
      : undefined;
  } catch {
    return undefined;
  }
}
