import { patternMistake } from "./miswritten.ts";
import { matchPath, type PathPattern, parsePattern, splitPath } from "./pathPattern.ts";
import { quoteRule, type RuleFault } from "./redirects.ts";

/** A block of a site's `_headers` file, in the syntax of Netlify and Cloudflare. */
export interface HeaderRule {
  pattern: PathPattern;
  headers: [name: string, value: string][];
  /** names of headers that earlier rules set, and that this one takes away */
  removed: string[];
}

const maxRules = 1000;
const maxLineLength = 2000;
/** How much of a visitor's path may get into the headers of a response, in all. */
const maxFilledLength = 8000;
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** Headers that a site may not set: cookies, message framing, and headers that the edge or the proxy controls. */
const reserved = new Set(
  `set-cookie set-cookie2 content-length transfer-encoding connection keep-alive upgrade te trailer host date server
  content-encoding content-range accept-ranges location proxy-authenticate proxy-connection etag last-modified vary age
  clear-site-data x-sendfile alt-svc http2-settings strict-transport-security`.split(/\s+/),
);

/**
 * Parses a `_headers` file. Invalid lines are skipped and returned as faults; so are valid ones that
 * do not do what they say. As at Netlify, a line that begins with a
 * slash is a path, and any other a header: indentation makes no difference.
 */
export function parseHeaderRules(text: string): { rules: HeaderRule[]; faults: RuleFault[] } {
  const rules: HeaderRule[] = [];
  const faults: RuleFault[] = [];
  const known = new Set<string>();
  /** where headers belong; or why they belong nowhere */
  let rule: HeaderRule | RuleFault["reason"] = "no path";
  /** the path that no line has followed yet */
  let alone: RuleFault | undefined;
  for (const [index, source] of text.split(/\r?\n/).entries()) {
    const words = source.slice(0, maxLineLength).trim();
    if (words === "" || words.startsWith("#")) continue;
    const line = { line: index + 1, text: quoteRule(words) };
    if (/^(\/|[a-z]+:\/\/)/i.test(words)) {
      if (alone) faults.push(alone);
      const block = source.length > maxLineLength ? "long" : parseBlock(words);
      rule = rules.length === maxRules ? "too many" : block;
      if (typeof rule === "object") rules.push(rule);
      const fault = typeof rule === "object" ? patternMistake(rule.pattern) : rule;
      if (fault) faults.push({ ...line, reason: fault });
      alone = typeof rule === "object" ? { ...line, reason: "no headers" } : undefined;
      continue;
    }
    alone = undefined;
    const fault: RuleFault["reason"] | undefined =
      source.length > maxLineLength ? "long" : addHeader(rule, words, known);
    if (fault) faults.push({ ...line, reason: fault });
    // Without a colon, an unindented line is probably a path. What follows does not belong to the one before.
    if (fault === "no colon" && !/^\s/.test(source)) rule = fault;
  }
  if (alone) faults.push(alone);
  return { rules, faults };
}

function parseBlock(path: string): HeaderRule | RuleFault["reason"] {
  const pattern = parsePattern(path);
  return typeof pattern === "string" ? pattern : { pattern, headers: [], removed: [] };
}

/** `known`: headers that rules set so far. Returns why the line is not followed. */
function addHeader(
  rule: HeaderRule | RuleFault["reason"],
  words: string,
  known: Set<string>,
): RuleFault["reason"] | undefined {
  const [, removed] = /^!\s+([^\s:]+)$/.exec(words.toLowerCase()) ?? [];
  if (removed !== undefined) {
    if (typeof rule === "string") return rule;
    if (!known.has(removed)) return "not set";
    rule.removed.push(removed);
    return undefined;
  }
  const colon = words.indexOf(":");
  if (colon < 0) return "no colon";
  const [name, value] = [words.slice(0, colon).trim().toLowerCase(), words.slice(colon + 1).trim()];
  if (name === "basic-auth") return "password";
  if (typeof rule === "string") return rule;
  if (!token.test(name)) return "name";
  if (reserved.has(name) || name.startsWith("x-accel-")) return "header";
  if (value === "") return "no value";
  if (!/^[\x20-\x7e]*$/.test(value)) return "value";
  known.add(name);
  rule.headers.push([name, value]);
  return undefined;
}

/**
 * The headers of all rules that match the path. Values of the same header are joined by commas. `file`: the path of the
 * page that is shown, which a rule may also name: `/about.html` for `/about`.
 */
export function headersFor(rules: HeaderRule[], path: string, file = path): Record<string, string> {
  const headers = new Map<string, string>();
  const [segments, fileSegments] = [splitPath(path), splitPath(file)];
  let room = maxFilledLength;
  // Each is encoded once: a site may have many headers, and visitors long paths.
  const encoded = new Map<string, string>();
  const fill = (word: string, value: string | undefined): string => {
    if (value === undefined || value.length > room) return word;
    const filled = encoded.get(value) ?? encodeValue(value);
    encoded.set(value, filled);
    // What does not fit leaves no room, either, so that others are not encoded in vain.
    room -= filled.length;
    return room < 0 ? word : filled;
  };
  for (const { pattern, removed, headers: own } of rules) {
    const isNamedByFile = pattern.source.endsWith(".html");
    const values = matchPath(pattern, segments) ?? (isNamedByFile ? matchPath(pattern, fileSegments) : undefined);
    if (!values) continue;
    for (const name of removed) headers.delete(name);
    for (const [name, text] of own) {
      const value = text.replace(/:([a-zA-Z_]\w*)/g, (word, placeholder) => fill(word, values.get(placeholder)));
      const known = headers.get(name);
      headers.set(name, known === undefined ? value : `${known}, ${value}`);
    }
  }
  return Object.fromEntries(headers);
}

/** A visitor's text: only letters, digits, slashes and `-_.~` stay, because others mean something in a header. */
function encodeValue(text: string): string {
  const encoded = text.split("/").map(encodeURIComponent).join("/");
  return encoded.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
