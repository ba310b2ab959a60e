import { parseHeaderRules } from "./headerRules.ts";
import { maxRulesBytes, parseRedirects, quoteRule, type Redirect, type RuleFault } from "./redirects.ts";
import { findMistakes } from "./ruleMistakes.ts";

/** A line of a rules file that is not followed, or does not do what it says. */
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
  const text = await textOf("_redirects");
  const { rules: redirects, faults } = parseRedirects(text);
  const lines = text.split("\n");
  for (const [line, reason] of findMistakes({ files: sizes, redirects }))
    faults.push({ line, text: quoteRule(lines[line - 1]?.trim() ?? ""), reason });
  const named = (file: string, found: RuleFault[]) => found.map((fault): FileFault => ({ file, ...fault }));
  return {
    redirects,
    tooLarge,
    faults: [
      ...named(
        "_redirects",
        faults.sort((one, other) => one.line - other.line),
      ),
      ...named("_headers", parseHeaderRules(await textOf("_headers")).faults),
    ],
  };
}
