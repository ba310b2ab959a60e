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
const statuses = new Set([200, 301, 302, 303, 307, 308, 404]);

/** Reads a `_redirects` file. What cannot be followed is left out, and said. */
export function parseRedirects(text: string): { rules: Redirect[]; faults: RuleFault[] } {
  const rules: Redirect[] = [];
  const faults: RuleFault[] = [];
  for (const [index, source] of text.split(/\r?\n/).entries()) {
    const words = source.replace(/(^|\s)#.*$/, "").trim();
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
  const isElsewhere = /^https?:\/\//i.test(to) || to.startsWith("//");
  if (!isElsewhere && !to.startsWith("/")) return "unreadable";
  if (isElsewhere && (status === 200 || status === 404)) return "proxy";
  return { from, query, to, status, isForced: force === "!" };
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
  return rule.to.replace(/:([a-zA-Z_]\w*)/g, (word, name) => {
    const value = values.get(name);
    return value === undefined ? word : value.split("/").map(encodeURIComponent).join("/");
  });
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
