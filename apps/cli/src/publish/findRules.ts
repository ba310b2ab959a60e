import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  matchPath,
  maxRulesBytes,
  parseHeaderRules,
  parseRedirects,
  type Redirect,
  type RuleFault,
  splitPath,
} from "@nido/contract";

/** A line of a rules file that the server will not follow. */
export interface FileFault extends RuleFault {
  file: string;
}

export interface FoundRules {
  redirects: Redirect[];
  faults: FileFault[];
  /** rules files that are too large to be followed */
  tooLarge: string[];
}

/** Reads the rules files of a site as the server will. */
export function findRules(folder: string, paths: ReadonlySet<string>): FoundRules {
  const tooLarge = ["_redirects", "_headers"].filter(
    (name) => paths.has(name) && statSync(join(folder, name)).size > maxRulesBytes,
  );
  const read = (name: string) =>
    paths.has(name) && !tooLarge.includes(name) ? readFileSync(join(folder, name), "utf8") : "";
  const { rules: redirects, faults } = parseRedirects(read("_redirects"));
  const loops = redirects.filter((rule) => leadsBack(rule, paths));
  const named = (file: string, found: RuleFault[]) => found.map((fault): FileFault => ({ file, ...fault }));
  return {
    redirects,
    tooLarge,
    faults: [
      ...named(
        "_redirects",
        [...faults, ...loops.map(faultOf)].sort((one, other) => one.line - other.line),
      ),
      ...named("_headers", parseHeaderRules(read("_headers")).faults),
    ],
  };
}

/** Whether it sends a page to its own file, which is shown at the address of the page. */
function leadsBack({ from, to, status, isForced }: Redirect, paths: ReadonlySet<string>): boolean {
  if (!isForced || status === 200 || status === 404 || !to.endsWith(".html") || !paths.has(to.slice(1))) return false;
  return matchPath(from, splitPath(to.replace(/(\/index)?\.html$/, "") || "/")) !== undefined;
}

function faultOf({ line, from, to, status }: Redirect): RuleFault {
  return { line, text: `${from.source} ${to} ${status}!`, reason: "loop" };
}
