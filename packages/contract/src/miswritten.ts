import { isReachable, type PathPattern, placeholdersOf } from "./pathPattern.ts";
import type { Redirect, RuleFaultReason } from "./redirects.ts";

/** Not `/wiki/Special:Search`, and not `#:~:text=word`. */
const placeholder = /(?<![\w~]):[a-zA-Z_]\w*/g;

/** Why a rule does not do what it says, whatever the site has. It is followed all the same: sites may rely on it. */
export function redirectMistake({ from, query, to }: Redirect): RuleFaultReason | undefined {
  const mistake = patternMistake(from);
  if (mistake) return mistake;
  if (isAnyTwice(query.map(([name]) => name))) return "twice";
  if (to.includes("*")) return "star";
  const known = new Set([...placeholdersOf(from).map((name) => `:${name}`), ...query.map(([, value]) => value)]);
  return to.match(placeholder)?.some((name) => !known.has(name)) ? "unknown" : undefined;
}

export function patternMistake(pattern: PathPattern): RuleFaultReason | undefined {
  if (!isReachable(pattern)) return "slashes";
  return isAnyTwice(placeholdersOf(pattern)) ? "twice" : undefined;
}

function isAnyTwice(names: string[]): boolean {
  return new Set(names).size < names.length;
}
