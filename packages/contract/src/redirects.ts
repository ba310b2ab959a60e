/** A line of a site's `_redirects` file, as Netlify writes them. */
export interface Redirect {
  from: string;
  /** query parameters that must be there, and what their values are called */
  query: [name: string, value: string][];
  to: string;
  /** 200 and 404 show another file of the site under the same address */
  status: number;
  /** also where the site has a file at that path */
  isForced: boolean;
}

export interface RuleFault {
  line: number;
  text: string;
  reason: "unreadable" | "status" | "proxy" | "condition" | "header" | "too many";
}

const mostRules = 1000;
const longestLine = 2000;
const longestTarget = 8000;
const statuses = new Set([200, 301, 302, 303, 307, 308, 404]);

/** Reads a `_redirects` file. What cannot be followed is left out, and said. */
export function parseRedirects(text: string): { rules: Redirect[]; faults: RuleFault[] } {
  const rules: Redirect[] = [];
  const faults: RuleFault[] = [];
  for (const [index, source] of text.split(/\r?\n/).entries()) {
    if (source.length > longestLine) {
      faults.push({ line: index + 1, text: `${source.slice(0, 60)}…`, reason: "unreadable" });
      continue;
    }
    const comment = source.search(/(^|\s)#/);
    const words = (comment < 0 ? source : source.slice(0, comment)).trim();
    if (words === "") continue;
    const rule = rules.length < mostRules ? parseLine(words.split(/\s+/)) : "too many";
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
  const isElsewhere = /^https?:\/\//i.test(to);
  if (!isElsewhere && !/^\/(?![/\\])/.test(to)) return "unreadable";
  if (!isAddress(to)) return "unreadable";
  if (isElsewhere && (status === 200 || status === 404)) return "proxy";
  return { from, query, to, status, isForced: force === "!" };
}

/** Whether it is one once its names are filled in. */
function isAddress(to: string): boolean {
  try {
    decodeURIComponent(to);
    new URL(to.replace(/:[a-zA-Z_]\w*/g, "x"), "http://site.invalid");
    return true;
  } catch {
    return false;
  }
}

/** Where a rule leads for this path and query; undefined where it is not about them. */
export function followRedirect(rule: Redirect, path: string, query: URLSearchParams): string | undefined {
  const values = matchPattern(rule.from, path);
  if (!values) return undefined;
  for (const [name, wanted] of rule.query) {
    const value = query.get(name);
    if (value === null) return undefined;
    if (wanted.startsWith(":")) values.set(wanted.slice(1), value);
    else if (wanted !== value) return undefined;
  }
  const encoded = new Map(
    [...values].map(([name, value]) => [name, value.split("/").map(encodeURIComponent).join("/")]),
  );
  let length = rule.to.length;
  const to = rule.to.replace(/:([a-zA-Z_]\w*)/g, (word, name) => {
    const value = encoded.get(name);
    length += value?.length ?? 0;
    return length > longestTarget ? "" : (value ?? word);
  });
  return length > longestTarget ? undefined : to;
}

/** Holds a path against a pattern with `:name` for a part and `*` at its end for the rest. */
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
