import { matchPath, type PathPattern, type PatternFault, parsePattern } from "./pathPattern.ts";

/** A line of a site's `_redirects` file, in the syntax of Netlify and Cloudflare. */
export interface Redirect {
  line: number;
  from: PathPattern;
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
  reason: RuleFaultReason;
}

/** Why a line of `_redirects` or `_headers` is not followed, or does not do what it says. */
export type RuleFaultReason =
  | PatternFault
  | "query"
  | "target"
  | "star"
  | "unknown"
  | "twice"
  | "slashes"
  | "status"
  | "proxy"
  | "host"
  | "own"
  | "condition"
  | "header"
  | "name"
  | "value"
  | "no path"
  | "no headers"
  | "no colon"
  | "no value"
  | "not set"
  | "password"
  | "long"
  | "loop"
  | "cycle"
  | "duplicate"
  | "shadowed"
  | "missing"
  | "too many";

/** A larger `_redirects` or `_headers` is not followed at all. */
export const maxRulesBytes = 2 ** 18;
const maxRules = 1000;
const maxLineLength = 2000;
const maxTargetLength = 8000;
const maxQuoteLength = 200;
const statuses = new Set([200, 301, 302, 303, 307, 308, 404]);

/** Parses a `_redirects` file. Invalid lines are skipped and returned as faults. */
export function parseRedirects(text: string): { rules: Redirect[]; faults: RuleFault[] } {
  const rules: Redirect[] = [];
  const faults: RuleFault[] = [];
  for (const [index, source] of text.split(/\r?\n/).entries()) {
    const comment = source.search(/(^|\s)#/);
    const words = (comment < 0 ? source : source.slice(0, comment)).trim();
    if (words === "") continue;
    const line = index + 1;
    const rule = rules.length < maxRules ? parseLine(line, words) : "too many";
    if (typeof rule === "string") faults.push({ line, text: quoteRule(words), reason: rule });
    else rules.push(rule);
  }
  return { rules, faults };
}

/** A line of a rules file as it is shown in reports and logs: without the passwords that people write there. */
export function quoteRule(words: string): string {
  return words
    .replace(/(basic-auth)\b.*/i, "$1: …")
    .replace(/(https?:\/\/[^/\s:@]*:)[^/\s@]*@/gi, "$1…@")
    .slice(0, maxQuoteLength);
}

function parseLine(line: number, text: string): Redirect | RuleFault["reason"] {
  if (text.length > maxLineLength) return "long";
  const [source = "", ...words] = text.split(/\s+/);
  const [path = "", ownQuery] = source.split("?", 2) as [string, string?];
  const query = parseQuery(ownQuery);
  let at = 0;
  for (; at < words.length; at++) {
    if (!/^[\w.-]+=/.test(words[at] ?? "")) break;
    const own = parseQuery(words[at]);
    if (!own) return "query";
    query?.push(...own);
  }
  const [to, ...rest] = words.slice(at);
  const from = parsePattern(path);
  if (typeof from === "string") return from;
  if (!query) return "query";
  if (to === undefined) return "target";
  if (rest.length > 1 || rest[0]?.includes("=")) return "condition";
  const [, number = "0", force] = /^(\d{3})(!?)$/.exec(rest[0] ?? "301") ?? [];
  const status = Number(number);
  if (!statuses.has(status)) return "status";
  const isExternal = /^https?:\/\//i.test(to);
  if (!isExternal && !/^\/(?![/\\])/.test(to)) return "target";
  // With a placeholder in the host, visitors would choose where the site sends people. `https:///x` means the host `x`.
  if (/^https?:\/\/([/\\?#]|[^/\\?#]*:[a-z_])/i.test(to)) return "host";
  if (!isAddress(to)) return "target";
  if (isExternal && (status === 200 || status === 404)) return "proxy";
  return { line, from, query, to, status, isForced: force === "!" };
}

/** Of `/store?id=:id`, which means the same as `/store id=:id`. */
function parseQuery(text = ""): Redirect["query"] | undefined {
  const query: Redirect["query"] = [];
  for (const part of text.split("&").filter(Boolean)) {
    const [, name, value] = /^([\w.-]+)=(:[a-zA-Z_]\w*|[^:=]+)$/.exec(part) ?? [];
    if (name === undefined || value === undefined || !URL.canParse(`/?${part}`, "http://site.invalid"))
      return undefined;
    query.push([name, value.startsWith(":") ? value : (new URLSearchParams(part).get(name) ?? "")]);
  }
  return query;
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
export function followRedirect(rule: Redirect, path: readonly string[], query: QueryValues): string | undefined {
  const given: [name: string, value: string][] = [];
  for (const [name, expected] of rule.query) {
    const value = query.get(name);
    if (value === undefined) return undefined;
    if (expected.startsWith(":")) given.push([expected.slice(1), value]);
    else if (expected !== value) return undefined;
  }
  // After the query, because this takes longer.
  const found = matchPath(rule.from, path);
  if (!found) return undefined;
  const values = new Map([...found, ...given]);
  let length = rule.to.length;
  const to = rule.to.replace(/:([a-zA-Z_]\w*)/g, (word, name) => {
    const value = values.get(name);
    if (value === undefined || length > maxTargetLength) return word;
    const encoded = value.split("/").map(encodeURIComponent).join("/");
    length += encoded.length;
    return encoded;
  });
  return length > maxTargetLength ? undefined : to;
}

/** The first value of each parameter. */
export type QueryValues = ReadonlyMap<string, string>;

export function queryValues(query: URLSearchParams): QueryValues {
  return new Map([...query].reverse());
}
