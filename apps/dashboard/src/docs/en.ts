import type { DocPage } from "./DocPage.ts";

export const pages = import.meta.glob<DocPage>("./content/en/*.md", { eager: true, import: "page" });
