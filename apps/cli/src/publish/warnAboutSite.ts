import { type DeployPlan, describeFinding, describeItem, lowStorage, type SiteReport } from "@nido/contract";
import type { Terminal } from "../Terminal.ts";
import type { Texts } from "../texts.ts";

const maxShownItems = 10;

/** Warns about probable mistakes that do not prevent publishing. */
export function warnAboutSite(t: Texts, terminal: Terminal, { findings }: SiteReport) {
  for (const finding of findings) {
    const { items, count } = finding;
    const lines = items.slice(0, maxShownItems).map((item) => `  ${describeItem(item)}`);
    if (count > lines.length) lines.push("  …");
    terminal.warn([describeFinding(finding, t.lang), ...lines].join("\n"));
  }
}

export function warnAboutStorage(t: Texts, terminal: Terminal, { storage }: DeployPlan) {
  const { used, allowed } = storage ?? { used: 0, allowed: 1 };
  if (used > lowStorage * allowed) terminal.warn(t.storageLow(Math.round((100 * used) / allowed)));
}
