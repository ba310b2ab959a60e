import { describeFinding, describeItem, type SiteReport } from "@nido/contract";
import { TriangleAlert } from "lucide-react";
import { currentLanguage } from "../i18n/language.ts";

/** Probable mistakes in a site, each with its places. */
export function FindingList({ report: { findings } }: { report: SiteReport }) {
  return (
    <ul className="flex flex-col gap-2 text-small">
      {findings.map((finding) => {
        const sentence = describeFinding(finding, currentLanguage());
        return (
          <li key={sentence} className="flex gap-2">
            <TriangleAlert className="mt-0.5 size-4 shrink-0 text-red" aria-hidden="true" />
            <details className="min-w-0">
              <summary className="cursor-pointer">{sentence}</summary>
              <ul className="my-1 ml-4 font-mono break-all text-ink-2">
                {finding.items.map((item) => (
                  <li key={describeItem(item)}>{describeItem(item)}</li>
                ))}
                {finding.count > finding.items.length && <li>…</li>}
              </ul>
            </details>
          </li>
        );
      })}
    </ul>
  );
}
