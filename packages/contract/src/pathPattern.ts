/**
 * A pattern of paths, as in `_redirects` and `_headers`: `:name` stands for a segment or a part of one, and one `*` for
 * anything. A slash at the end makes no difference, and `/folder/*` matches the folder itself, too.
 */
export interface PathPattern {
  /** as it was written, decoded */
  source: string;
  /** the segments before the star; all of them without one */
  head: readonly Part[];
  star?: { before: string; after: string; tail: readonly Part[] };
}

/** A segment: text alone, or text around a placeholder. */
interface Part {
  before: string;
  name?: string;
  after: string;
}

/** `stars`, `placeholders`: there are more than one, in all or in a segment. */
export type PatternFault = "unreadable" | "absolute" | "stars" | "placeholders";

/** After a letter or a digit, a colon is itself: `/wiki/Special:Search`. */
const placeholder = /(?<!\w):([a-zA-Z_]\w*)/g;

export function parsePattern(text: string): PathPattern | PatternFault {
  if (/^(https?:)?\/\//i.test(text)) return "absolute";
  if (!text.startsWith("/") || /[?#]/.test(text)) return "unreadable";
  const segments = splitPath(text);
  if (text.split("*").length > 2) return "stars";
  try {
    const at = segments.findIndex((segment) => segment.includes("*"));
    const source = decode(text);
    if (at < 0) return { source, head: segments.map(parsePart) };
    const [before = "", after = ""] = (segments[at] ?? "").split("*").map(parsePart).map(requireText);
    const [head, tail] = [segments.slice(0, at), segments.slice(at + 1)].map((each) => each.map(parsePart));
    return { source, head: head ?? [], star: { before, after, tail: tail ?? [] } };
  } catch (error) {
    return error instanceof TooManyPlaceholders ? "placeholders" : "unreadable";
  }
}

class TooManyPlaceholders extends Error {
  override name = "TooManyPlaceholders";
}

/** Around more than one placeholder, a segment could be divided in many ways. */
function parsePart(segment: string): Part {
  const [found, ...others] = segment.matchAll(placeholder);
  if (others.length > 0) throw new TooManyPlaceholders();
  if (!found) return { before: decode(segment), after: "" };
  const end = found.index + found[0].length;
  return {
    before: decode(segment.slice(0, found.index)),
    ...(found[1] && { name: found[1] }),
    after: decode(segment.slice(end)),
  };
}

function requireText({ before, name }: Part): string {
  if (name !== undefined) throw new TooManyPlaceholders();
  return before;
}

/** A `%` that encodes nothing is itself. Throws for bytes that are no text. */
function decode(text: string): string {
  return decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "%25"));
}

/** The names of a pattern's placeholders. Of several with the same name, the last counts. */
export function placeholdersOf({ head, star }: PathPattern): string[] {
  const named = [...head, ...(star?.tail ?? [])].flatMap(({ name }) => name ?? []);
  return star ? [...named, "splat"] : named;
}

/** A decoded path that matches the pattern, and none that asks for more. */
export function samplePath({ head, star }: PathPattern): string {
  const write = ({ before, name, after }: Part) => (name === undefined ? before : `${before}~${name}${after}`);
  const segments = head.map(write);
  // More of them than placeholders in any pattern that somebody would write.
  if (star) segments.push(...`${star.before}~1/~2/~3/~4/~5/~6/~7/~8${star.after}`.split("/"), ...star.tail.map(write));
  return segments.join("/");
}

/** Whether visitors can come to such a path: from others, they are led to the one without empty segments and dots. */
export function isReachable(pattern: PathPattern): boolean {
  return !/\/\/|\/\.\.?(\/|$)/.test(samplePath(pattern));
}

/** The segments of a decoded path. */
export function splitPath(path: string): string[] {
  return (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path).split("/");
}

/** What the placeholders stand for, `splat` for the star; undefined if the path does not match. In linear time. */
export function matchPath(pattern: PathPattern, path: readonly string[]): ReadonlyMap<string, string> | undefined {
  const { head, star } = pattern;
  const values = new Map<string, string>();
  if (!matchParts(head, path, 0, values)) return undefined;
  if (!star) return path.length === head.length ? values : undefined;
  const { before, after, tail } = star;
  const end = path.length - tail.length;
  if (end === head.length && tail.length === 0 && before === "" && after === "") return values.set("splat", "");
  const [first, last] = [path[head.length], path[end - 1]];
  if (end <= head.length || !first?.startsWith(before) || !last?.endsWith(after)) return undefined;
  if (!matchParts(tail, path, end, values)) return undefined;
  if (end - 1 === head.length && first.length < before.length + after.length) return undefined;
  const rest = path.slice(head.length, end).join("/");
  return values.set("splat", rest.slice(before.length, rest.length - after.length));
}

function matchParts(parts: readonly Part[], path: readonly string[], from: number, values: Map<string, string>) {
  for (const [index, { before, name, after }] of parts.entries()) {
    const actual = path[from + index];
    if (actual === undefined) return false;
    if (name === undefined) {
      if (actual !== before) return false;
      continue;
    }
    const isLong = actual.length > before.length + after.length;
    if (!isLong || !actual.startsWith(before) || !actual.endsWith(after)) return false;
    values.set(name, actual.slice(before.length, actual.length - after.length));
  }
  return true;
}
