/** A page of the customers' documentation, as the build makes it from a Markdown file. */
export interface DocPage {
  /** the name of its file and the end of its address; the same in every language */
  slug: string;
  title: string;
  /** its first paragraph, as text */
  summary: string;
  /** the whole page after its title */
  html: string;
  sections: DocSection[];
}

/** What a search leads to: a heading with the text below it. The first has the page's own title and no id. */
export interface DocSection {
  id: string;
  title: string;
  text: string;
}

/** The pages in the order of the table of contents. */
export const docSlugs = [
  "start",
  "publishing",
  "previews",
  "rules",
  "ci",
  "cli",
  "domains",
  "wordpress",
  "account",
] as const;
