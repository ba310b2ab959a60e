import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import {
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
import { FactsCache } from "./FactsCache.ts";

const maxShownItems = 10;

/** After this time the files that are being sent have their turn. */
const maxBusyMs = 10;

/** Looks at the whole site. Of the files it reads only those that it has not seen before. */
export async function reportOn(folder: string, files: SiteFile[]): Promise<SiteReport> {
  const known = new FactsCache(folder);
  let isWhole = true;
  let paused = performance.now();
  const read = async (path: string) => {
    if (performance.now() - paused > maxBusyMs) {
      await nextTurn();
      paused = performance.now();
    }
    try {
      return readFileSync(join(folder, path), "utf8");
    } catch {
      isWhole = false; // It has vanished, which is found out when it is sent.
      return "";
    }
  };
  const report = await inspectSite({ files, read, known });
  if (isWhole) known.save();
  return report;
}

/** Warns about probable mistakes that do not prevent publishing. */
export function warnAboutSite(t: Texts, terminal: Terminal, { findings }: Pick<SiteReport, "findings">) {
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
