import { containsWords } from "../i18n/containsWords.ts";
import type { DocPage, DocSection } from "./DocPage.ts";

export interface DocMatch {
  page: DocPage;
  section: DocSection;
}

const maxMatches = 20;

/** The sections that contain all words: those with the words in their title first. */
export function searchDocs(pages: DocPage[], words: string): DocMatch[] {
  if (words.trim() === "") return [];
  const all = pages.flatMap((page) => page.sections.map((section) => ({ page, section })));
  const inTitle = all.filter(({ section }) => containsWords(section.title, words));
  const inText = all.filter((match) => !inTitle.includes(match) && containsWords(wholeText(match), words));
  return [...inTitle, ...inText].slice(0, maxMatches);
}

function wholeText({ page, section }: DocMatch): string {
  return `${page.title} ${section.title} ${section.text}`;
}

/** Some words of a section's text, around the first that was searched for. */
export function excerptOf({ text }: DocSection, words: string): string {
  const length = 140;
  const [first = ""] = words.trim().split(/\s+/);
  const found = text.toLowerCase().indexOf(first.toLowerCase());
  const start = Math.max(0, found - length / 3);
  const cut = text.slice(start, start + length).trim();
  return `${start > 0 ? "…" : ""}${cut}${start + length < text.length ? "…" : ""}`;
}
