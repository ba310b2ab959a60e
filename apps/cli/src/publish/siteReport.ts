import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type DeployPlan,
  describeFinding,
  describeItem,
  fileGroupNames,
  fileGroups,
  inspectSite,
  type PublishedDeploy,
  type SiteFile,
  type SiteReport,
} from "@nido/contract";
import type { Terminal } from "../Terminal.ts";
import type { Texts } from "../texts.ts";

const maxShownItems = 10;

/** Looks at the files that the plan changes, or at all. A removed file can break the links of any page. */
export function reportOn(folder: string, files: SiteFile[], plan?: DeployPlan): Promise<SiteReport> {
  const isWhole = !plan || plan.removed.length > 0;
  const changed = isWhole ? files.map(({ path }) => path) : [...plan.added, ...plan.changed];
  const read = (path: string) => {
    try {
      return readFileSync(join(folder, path), "utf8");
    } catch {
      return ""; // It has vanished, which is found out when it is sent.
    }
  };
  return inspectSite({ files, changed, read });
}

/** Warns about probable mistakes that do not prevent publishing. */
export function warnAboutSite(t: Texts, terminal: Terminal, { findings }: SiteReport) {
  for (const finding of findings) {
    const { items, count } = finding;
    const lines = items.slice(0, maxShownItems).map((item) => `  ${describeItem(item)}`);
    if (count > lines.length) lines.push("  …");
    terminal.warn([describeFinding(finding, t.lang), ...lines].join("\n"));
  }
}

/** Markdown, for a comment on a pull request. */
export function commentOn(
  t: Texts,
  { url, deploy_url }: PublishedDeploy,
  changes: string,
  { findings }: SiteReport,
): string {
  return [
    `**${t.published(url)}** (${changes})`,
    deploy_url && t.permanent(deploy_url),
    findings.map((finding) => `- ${describeFinding(finding, t.lang)}`).join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}

export function describeBytes(t: Texts, { bytes }: SiteReport): string {
  return fileGroups
    .filter((group) => bytes[group])
    .map(
      (group) =>
        `${fileGroupNames[t.lang][group]} ${Math.ceil((bytes[group] ?? 0) / 1000).toLocaleString(t.locale)} kB`,
    )
    .join(", ");
}
