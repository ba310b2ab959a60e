import { matchPath, type PathPattern, parsePattern, splitPath } from "./pathPattern.ts";
import { quoteRule, type RuleFault } from "./redirects.ts";

/** A block of a site's `_headers` file, in Netlify's syntax. */
export interface HeaderRule {
  pattern: PathPattern;
  headers: [name: string, value: string][];
}

const maxRules = 1000;
const maxLineLength = 2000;

/** Headers that a site may not set: cookies, message framing, and headers that the edge or the proxy controls. */
const reserved = new Set(
  `set-cookie set-cookie2 content-length transfer-encoding connection keep-alive upgrade te trailer host date server
  content-encoding content-range accept-ranges location proxy-authenticate proxy-connection etag last-modified vary age
  clear-site-data x-sendfile alt-svc http2-settings strict-transport-security`.split(/\s+/),
);

/** Parses a `_headers` file. Invalid lines are skipped and returned as faults. */
export function parseHeaderRules(text: string): { rules: HeaderRule[]; faults: RuleFault[] } {
  const rules: HeaderRule[] = [];
  const faults: RuleFault[] = [];
  let rule: HeaderRule | undefined;
  for (const [index, source] of text.split(/\r?\n/).entries()) {
    const words = source.slice(0, maxLineLength).trim();
    if (words === "" || words.startsWith("#")) continue;
    const fail = (reason: RuleFault["reason"]) => faults.push({ line: index + 1, text: quoteRule(words), reason });
    if (source.length > maxLineLength) {
      fail("long");
      continue;
    }
    if (!/^\s/.test(source)) {
      const pattern = parsePattern(words);
      rule = typeof pattern === "object" && rules.length < maxRules ? { pattern, headers: [] } : undefined;
      if (rule) rules.push(rule);
      else fail(typeof pattern === "string" ? pattern : "too many");
      continue;
    }
    const colon = words.indexOf(":");
    const [name, value] = [words.slice(0, Math.max(colon, 0)).toLowerCase(), words.slice(colon + 1).trim()];
    if (!rule || !/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value)) fail("unreadable");
    else if (name === "basic-auth") fail("password");
    else if (reserved.has(name) || name.startsWith("x-accel-")) fail("header");
    else rule.headers.push([name, value]);
  }
  return { rules, faults };
}

/** The headers of all rules that match the path. Values of the same header are joined by commas. */
export function headersFor(rules: HeaderRule[], path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  const segments = splitPath(path);
  for (const { pattern, headers: ruleHeaders } of rules) {
    if (!matchPath(pattern, segments)) continue;
    for (const [name, value] of ruleHeaders) {
      const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
      headers[name] = known === undefined ? value : `${known}, ${value}`;
    }
  }
  return headers;
}
