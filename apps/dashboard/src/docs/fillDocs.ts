import { type DocPage, docSlugs } from "./DocPage.ts";

/** What differs from one installation to another. */
export interface DocValues {
  brand: string;
  /** the dashboard's address */
  origin: string;
  sites_domain: string;
}

/** The pages in their order, with this installation's names and addresses. */
export function fillDocs(pages: Record<string, DocPage>, values: DocValues): DocPage[] {
  const all = Object.values(pages);
  const inOrder = docSlugs.flatMap((slug) => all.filter((page) => page.slug === slug));
  return inOrder.map((page) => ({
    ...page,
    summary: fillPlaceholders(page.summary, values),
    html: fillPlaceholders(page.html, values, escapeHtml),
    sections: page.sections.map((section) => ({ ...section, text: fillPlaceholders(section.text, values) })),
  }));
}

/** Puts the values where the text has `{{brand}}` and the like. */
function fillPlaceholders(text: string, values: DocValues, encode = (value: string) => value): string {
  return text.replace(/\{\{(brand|origin|sites_domain)\}\}/g, (_, name: keyof DocValues) => encode(values[name]));
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
