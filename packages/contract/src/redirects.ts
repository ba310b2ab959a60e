/** A line of a site's `_redirects` file, in Netlify's syntax. */
export interface Redirect {
  from: string;
  /** required query parameters; a value that starts with `:` is a placeholder */
  query: [name: string, value: string][];
  to: string;
  /** 200 and 404 are rewrites: they serve another file of the site at the same address */
  status: number;
  /** applies even if the site has a file at that path */
  isForced: boolean;
}

export interface RuleFault {
  line: number;
  text: string;
  reason: "unreadable" | "status" | "proxy" | "condition" | "header" | "too many";
}

const maxRules = 1000;
const maxLineLength = 2000;
const maxTargetLength = 8000;
const statuses = new Set([200, 301, 302, 303, 307, 308, 404]);

/** Parses a `_redirects` file. Invalid lines are skipped and returned as faults. */
export function parseRedirects(text: string): { rules: Redirect[]; faults: RuleFault[] } {
  const rules: Redirect[] = [];
  const faults: RuleFault[] = [];
  for (const [index, source] of text.split(/\r?\n/).entries()) {
    if (source.length > maxLineLength) {
      faults.push({ line: index + 1, text: `${source.slice(0, 60)}…`, reason: "unreadable" });
      continue;
    }
    const comment = source.search(/(^|\s)#/);
    const words = (comment < 0 ? source : source.slice(0, comment)).trim();
    if (words === "") continue;
    const rule = rules.length < maxRules ? parseLine(words.split(/\s+/)) : "too many";
    if (typeof rule === "string") faults.push({ line: index + 1, text: words, reason: rule });
    else rules.push(rule);
  }
  return { rules, faults };
}

function parseLine([from = "", ...words]: string[]): Redirect | RuleFault["reason"] {
  const query: Redirect["query"] = [];
  let at = 0;
  for (; at < words.length; at++) {
    const [, name, value] = /^([\w-]+)=(:?[\w-]+)$/.exec(words[at] ?? "") ?? [];
    if (name === undefined || value === undefined) break;
    query.push([name, value]);
  }
  const [to, ...rest] = words.slice(at);
  if (!from.startsWith("/") || to === undefined) return "unreadable";
  if (rest.length > 1) return "condition";
  const [, number = "0", force] = /^(\d{3})(!?)$/.exec(rest[0] ?? "301") ?? [];
  const status = Number(number);
  if (!statuses.has(status)) return "status";
  const isExternal = /^https?:\/\//i.test(to);
  if (!isExternal && !/^\/(?![/\\])/.test(to)) return "unreadable";
  if (!isAddress(to)) return "unreadable";
  if (isExternal && (status === 200 || status === 404)) return "proxy";
  return { from, query, to, status, isForced: force === "!" };
}

/** Whether the target is a valid address once its placeholders are replaced. */
function isAddress(to: string): boolean {
  try {
    decodeURIComponent(to);
    new URL(to.replace(/:[a-zA-Z_]\w*/g, "x"), "http://site.invalid");
    return true;
  } catch {
    return false;
  }
}

/** The target of a rule for this path and query; undefined if the rule does not match. */
export function followRedirect(rule: Redirect, path: string, query: URLSearchParams): string | undefined {
  const values = matchPattern(rule.from, path);
  if (!values) return undefined;
  for (const [name, expected] of rule.query) {
    const value = query.get(name);
    if (value === null) return undefined;
    if (expected.startsWith(":")) values.set(expected.slice(1), value);
    else if (expected !== value) return undefined;
  }
  const encoded = new Map(
    [...values].map(([name, value]) => [name, value.split("/").map(encodeURIComponent).join("/")]),
  );
  let length = rule.to.length;
  const to = rule.to.replace(/:([a-zA-Z_]\w*)/g, (word, name) => {
    const value = encoded.get(name);
    length += value?.length ?? 0;
    return length > maxTargetLength ? "" : (value ?? word);
  });
  return length > maxTargetLength ? undefined : to;
}

/** Matches a path with a pattern in which `:name` stands for one segment and a final `*` for the rest. */
export function matchPattern(pattern: string, path: string): Map<string, string> | undefined {
  const values = new Map<string, string>();
  const expected = pattern.replace(/(?<=.)\/$/, "").split("/");
  const parts = path.replace(/(?<=.)\/$/, "").split("/");
  for (const [index, part] of expected.entries()) {
    if (part === "*" && index === expected.length - 1) {
      values.set("splat", parts.slice(index).join("/"));
      return values;
    }
    const actual = parts[index];
    if (actual === undefined) return undefined;
    if (part.startsWith(":") && actual !== "") values.set(part.slice(1), actual);
    else if (part !== actual) return undefined;
  }
  return parts.length === expected.length ? values : undefined;
}
