import { type Language, languages } from "@nido/contract";
import { renderToStaticMarkup } from "react-dom/server";
import { paths } from "../paths.ts";
import { DocsPage } from "./DocsPage.tsx";
import { pages as en } from "./en.ts";
import { pages as es } from "./es.ts";
import { fillDocs } from "./fillDocs.ts";

const pagesIn: Record<Language, typeof es> = { es, en };
/** The server puts its names and addresses here. */
const values = { brand: "{{brand}}", origin: "{{origin}}", sites_domain: "{{sites_domain}}" };

/** Every page of the documentation as a file, made from the dashboard's index.html. Run by the build. */
export function prerender(indexHtml: string): { file: string; html: string }[] {
  return languages.flatMap((lang) => {
    const pages = fillDocs(pagesIn[lang], values);
    return pages.map((page) => {
      const title = `${page.title} · {{brand}}`;
      const head = [
        `<title>${title}</title>`,
        `<link rel="canonical" href="{{origin}}${paths.doc(lang, page.slug)}" />`,
        `<meta name="description" content="${page.summary.replaceAll('"', "&quot;")}" />`,
        ...languages.map(
          (other) => `<link rel="alternate" hreflang="${other}" href="{{origin}}${paths.doc(other, page.slug)}" />`,
        ),
      ];
      const body = renderToStaticMarkup(<DocsPage lang={lang} brand={values.brand} pages={pages} page={page} />);
      const html = indexHtml
        .replace(/<html lang="\w+">/, `<html lang="${lang}">`)
        .replace(/<title>.*<\/title>/, () => head.join("\n    "))
        .replace('<div id="root"></div>', () => `<div id="root"><div class="min-h-dvh">${body}</div></div>`);
      return { file: `${lang}/${page.slug}.html`, html };
    });
  });
}
