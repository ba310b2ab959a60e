import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DeployPlan,
  lowStorage,
  parseHeaderRules,
  parseRedirects,
  type RuleFault,
  type SiteFile,
} from "@nido/contract";
import type { Terminal } from "../Terminal.ts";
import type { Texts } from "../texts.ts";
import { findBrokenLinks } from "./findBrokenLinks.ts";

const maxShownLinks = 10;

/** Warns about probable mistakes that do not prevent publishing. */
export function warnAboutSite(t: Texts, terminal: Terminal, folder: string, files: SiteFile[], plan: DeployPlan) {
  const paths = new Set(files.map(({ path }) => path));
  if (!paths.has("index.html")) terminal.warn(t.noIndex);
  const { used, allowed } = plan.storage ?? { used: 0, allowed: 1 };
  if (used > lowStorage * allowed) terminal.warn(t.storageLow(Math.round((100 * used) / allowed)));
  const read = (name: string) => (paths.has(name) ? readFileSync(join(folder, name), "utf8") : "");
  const { rules, faults } = parseRedirects(read("_redirects"));
  const warnAboutRule =
    (file: string) =>
    ({ line, text }: RuleFault) =>
      terminal.warn(t.ruleFault(file, line, text));
  faults.forEach(warnAboutRule("_redirects"));
  parseHeaderRules(read("_headers")).faults.forEach(warnAboutRule("_headers"));

  // A link can break when its page changes or when its target is removed. Only removals need a look at all pages.
  const affected = plan.removed.length > 0 ? [...paths] : [...plan.added, ...plan.changed];
  const pages = affected.filter((path) => path.endsWith(".html"));
  const broken = findBrokenLinks(folder, pages, paths, rules);
  if (broken.length === 0) return;
  const lines = broken.slice(0, maxShownLinks).map(({ page, link }) => `  ${page}: ${link}`);
  if (broken.length > maxShownLinks) lines.push("  …");
  terminal.warn(t.brokenLinks(broken.length, lines.join("\n")));
}
