import { type DeployPlan, lowStorage, maxRulesBytes, ruleTexts, type SiteFile } from "@nido/contract";
import type { Terminal } from "../Terminal.ts";
import type { Texts } from "../texts.ts";
import { findBrokenLinks } from "./findBrokenLinks.ts";
import { type FileFault, findRules } from "./findRules.ts";

const maxShownLinks = 10;
const maxShownRules = 5;
/** In JSON. */
const maxFaults = 100;

/** Warns about probable mistakes that do not prevent publishing. Returns the lines of rules that are not followed. */
export function warnAboutSite(
  t: Texts,
  terminal: Terminal,
  folder: string,
  files: SiteFile[],
  plan: DeployPlan,
): FileFault[] {
  const paths = new Set(files.map(({ path }) => path));
  if (!paths.has("index.html")) terminal.warn(t.noIndex);
  const { used, allowed } = plan.storage ?? { used: 0, allowed: 1 };
  if (used > lowStorage * allowed) terminal.warn(t.storageLow(Math.round((100 * used) / allowed)));
  const { redirects, faults, tooLarge } = findRules(folder, paths);
  for (const file of tooLarge) terminal.warn(t.rulesTooLarge(file, maxRulesBytes / 1024));
  for (const [first, ...rest] of Map.groupBy(faults, ({ file, reason }) => `${file} ${reason}`).values())
    if (first) terminal.warn(describe(t, first, rest));

  // A link can break when its page changes or when its target is removed. Only removals need a look at all pages.
  const affected = plan.removed.length > 0 ? [...paths] : [...plan.added, ...plan.changed];
  const pages = affected.filter((path) => path.endsWith(".html"));
  const broken = findBrokenLinks(folder, pages, paths, redirects);
  if (broken.length > 0) terminal.warn(t.brokenLinks(broken.length, listed(broken)));
  return faults.slice(0, maxFaults);
}

function listed(broken: ReturnType<typeof findBrokenLinks>): string {
  const lines = broken.slice(0, maxShownLinks).map(({ page, link }) => `  ${page}: ${link}`);
  return [...lines, ...(broken.length > maxShownLinks ? ["  …"] : [])].join("\n");
}

/** Lines of one file that are not followed for the same reason. */
function describe(t: Texts, first: FileFault, rest: FileFault[]): string {
  const all = [first, ...rest];
  const lines = all.slice(0, maxShownRules).map(({ line, text }) => `  ${line}: ${text}`);
  if (all.length > maxShownRules) lines.push("  …");
  return [t.rulesIgnored(first.file, all.length, ruleTexts[t.lang][first.reason]), ...lines].join("\n");
}
