import { parseHeaderRules } from "./headerRules.ts";
import { matchPath, splitPath } from "./pathPattern.ts";
import { maxRulesBytes, parseRedirects, type Redirect, type RuleFault } from "./redirects.ts";

/** A line of a rules file that is not followed. */
interface FileFault extends RuleFault {
  file: string;
}

interface ReadRules {
  redirects: Redirect[];
  faults: FileFault[];
  /** rules files that are too large to be followed */
  tooLarge: string[];
}

const rulesFiles = ["_redirects", "_headers"];

/** Reads the rules files of a site as the edge will. */
export async function readRules(
  sizes: ReadonlyMap<string, number>,
  read: (path: string) => string | Promise<string>,
): Promise<ReadRules> {
  const tooLarge = rulesFiles.filter((name) => (sizes.get(name) ?? 0) > maxRulesBytes);
  const textOf = (name: string) => (sizes.has(name) && !tooLarge.includes(name) ? read(name) : "");
  const { rules: redirects, faults } = parseRedirects(await textOf("_redirects"));
  const loops = redirects.filter((rule) => leadsBack(rule, sizes));
  const named = (file: string, found: RuleFault[]) => found.map((fault): FileFault => ({ file, ...fault }));
  return {
    redirects,
    tooLarge,
    faults: [
      ...named(
        "_redirects",
        [...faults, ...loops.map(faultOf)].sort((one, other) => one.line - other.line),
      ),
      ...named("_headers", parseHeaderRules(await textOf("_headers")).faults),
    ],
  };
}

/** Whether it sends a page to its own file, which is shown at the address of the page. */
function leadsBack({ from, to, status, isForced }: Redirect, paths: { has(path: string): boolean }): boolean {
  if (!isForced || status === 200 || status === 404 || !to.endsWith(".html") || !paths.has(to.slice(1))) return false;
  return matchPath(from, splitPath(to.replace(/(\/index)?\.html$/, "") || "/")) !== undefined;
}

function faultOf({ line, from, to, status }: Redirect): RuleFault {
  return { line, text: `${from.source} ${to} ${status}!`, reason: "loop" };
}
