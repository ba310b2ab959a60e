import { ssoPath } from "./billing.ts";
import { redirectMistake } from "./miswritten.ts";
import { parseRedirects, type RuleFault } from "./redirects.ts";

/** What an owner needs to get at WordPress is never redirected. */
export function isOwnPath(path: string): boolean {
  return path === ssoPath || /^\/(wp-|xmlrpc\.php)/.test(path);
}

/**
 * The lines that cannot be followed, or do not do what they say. A rewrite would show another file of the site, which WordPress decides about.
 */
export function redirectFaults(text: string): RuleFault[] {
  const { rules, faults } = parseRedirects(text);
  for (const rule of rules) {
    const { line, from, to, status } = rule;
    const path = from.source;
    const fault = { line, text: `${path} ${to} ${status}` };
    if (status === 200 || status === 404) faults.push({ ...fault, reason: "status" });
    else if (isOwnPath(path)) faults.push({ ...fault, reason: "own" });
    else {
      const reason = redirectMistake(rule);
      if (reason) faults.push({ ...fault, reason });
    }
  }
  return faults.sort((one, other) => one.line - other.line);
}
