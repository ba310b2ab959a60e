import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { languages } from "@nido/contract";
import { expect, test } from "vitest";
import { commands } from "../cli/src/commands.ts";
import { parseDoc } from "./parseDoc.ts";
import { type DocPage, docSlugs } from "./src/docs/DocPage.ts";
import { fillDocs } from "./src/docs/fillDocs.ts";
import { excerptOf, searchDocs } from "./src/docs/searchDocs.ts";

const values = { brand: "A & B", origin: "https://panel.example.com", sites_domain: "sites.example" };
const [es, en] = languages.map((lang) => fillDocs(read(lang), values)) as [DocPage[], DocPage[]];

function read(lang: string): Record<string, DocPage> {
  const folder = join(import.meta.dirname, "src/docs/content", lang);
  return Object.fromEntries(
    readdirSync(folder).map((file) => {
      const slug = file.replace(".md", "");
      return [slug, parseDoc(slug, lang, readFileSync(join(folder, file), "utf8"))];
    }),
  );
}

function matches(html: string, pattern: RegExp): string[] {
  return Array.from(html.matchAll(pattern), ([, found = ""]) => found);
}

test("both languages have the same pages, with the same sections, commands and forms of rules", () => {
  const shape = (pages: DocPage[]) =>
    pages.map(({ slug, sections, html }) => ({
      slug,
      sections: sections.length,
      rows: matches(html, /<tr>(<td>)/g).length,
      commands: matches(html, /<code>(nido [a-z]+)/g),
    }));
  expect(es.map(({ slug }) => slug)).toEqual(docSlugs);
  expect(readdirSync(join(import.meta.dirname, "src/docs/content/es"))).toHaveLength(docSlugs.length);
  expect(shape(en)).toEqual(shape(es));
});

test("every link leads to a page or a section that exists, and headings have addresses of their own", () => {
  for (const [lang, pages] of [
    ["es", es],
    ["en", en],
  ] as const)
    for (const { slug, html, sections } of pages) {
      const ids = sections.map(({ id }) => id);
      expect(new Set(ids).size, slug).toBe(ids.length);
      for (const href of matches(html, /href="([^"]*)"/g)) {
        const [, to, section = ""] = new RegExp(`^/docs/${lang}/(\\w+)(?:#(.+))?$`).exec(href) ?? [];
        const page = pages.find((each) => each.slug === to);
        expect(
          page?.sections.map(({ id }) => id),
          `${slug} → ${href}`,
        ).toContain(section);
      }
    }
});

test("every command of the tool is documented", () => {
  const documented = matches(es.find(({ slug }) => slug === "cli")?.html ?? "", /<code>nido ([^<]+)/g);
  const missing = commands.filter(
    ({ name }) => !documented.some((text) => text === name || text.startsWith(`${name} `)),
  );
  // Its three lines stand in a block of their own.
  expect(missing.map(({ name }) => name)).toEqual(["completion"]);
});

test("every form of rule in docs/RULES.md is documented for customers", () => {
  const whole = readFileSync(join(import.meta.dirname, "../../docs/RULES.md"), "utf8");
  // The last chapter compares addresses, one by one, with those of other hosts.
  const [rules = ""] = whole.split("\n## Files");
  const forms = Array.from(rules.matchAll(/^\| (.+?)\s*\|/gm), ([, cell = ""]) => matches(cell, /`([^`]+)`/g)).flat();
  expect(forms.length).toBeGreaterThan(30);
  const texts = [es, en].map((pages) => pages.flatMap(({ html }) => matches(html, /<code>([^<]*)<\/code>/g)));
  const known = ["/about.html", "/about/", "! Name"];
  for (const form of forms.filter((each) => !known.includes(each)))
    for (const text of texts) expect(text).toContain(form.replaceAll("<", "&lt;").replaceAll(">", "&gt;"));
});

test("names and addresses of the installation are filled in", () => {
  const [start] = es;
  expect(start?.html).toContain("En A &amp; B hay");
  expect(start?.sections[0]?.text).toContain("En A & B hay");
  expect(start?.html).toContain("npm install -g https://panel.example.com/cli/nido.tgz");
  expect(JSON.stringify([es, en])).not.toMatch(/\{\{(brand|origin|sites)/);
});

test("a search ignores accents and case, and shows titles first", () => {
  expect(searchDocs(es, "  ")).toEqual([]);
  const found = searchDocs(es, "Dominio PRINCIPAL");
  expect(found[0]?.section.id).toBe("el-dominio-principal");
  expect(searchDocs(es, "contrasena")[0]?.page.slug).toBe("previews");
  expect(searchDocs(en, "splat")[0]?.page.slug).toBe("rules");
  expect(searchDocs(en, "zebra")).toEqual([]);
  const [match] = searchDocs(en, "certificate ordered");
  expect(excerptOf(match?.section ?? { id: "", title: "", text: "" }, "ordered")).toContain("ordered");
});
