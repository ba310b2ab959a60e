import { Marked, type Token, type Tokens } from "marked";
import type { DocPage, DocSection } from "./src/docs/DocPage.ts";
import { escapeHtml } from "./src/docs/fillDocs.ts";

/** Reads a page of the documentation. Links to other pages are written as `rules.md` or `rules.md#_headers`. */
export function parseDoc(slug: string, lang: string, markdown: string): DocPage {
  const marked = new Marked();
  const [heading, ...tokens] = marked.lexer(markdown);
  if (heading?.type !== "heading" || heading["depth"] !== 1)
    throw new Error(`${lang}/${slug}.md does not begin with a title`);
  const title = textOf(heading);
  const sections: DocSection[] = [{ id: "", title, text: "" }];
  for (const token of tokens) {
    if (token.type === "heading") sections.push({ id: idOf(textOf(token)), title: textOf(token), text: "" });
    else (sections.at(-1) as DocSection).text += `${textOf(token)} `;
  }
  marked.use({
    renderer: {
      heading({ tokens: inner, depth, text }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(inner)}</h${depth}>\n`;
      },
      link({ href, tokens: inner }) {
        const to = href.replace(/^([a-z]+)\.md/, `/docs/${lang}/$1`);
        return `<a href="${to}">${this.parser.parseInline(inner)}</a>`;
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        // It scrolls by itself on a narrow screen, also by keyboard.
        return `<div class="scroll" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>\n`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
      },
    },
  });
  const first = tokens.find(({ type }) => type === "paragraph");
  return { slug, title, summary: first ? textOf(first) : "", html: marked.parser(tokens), sections };
}

function textOf(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((cells) => cells.map((cell) => inlineText(cell.tokens))).join(" ");
  }
  if (token.type === "list") return (token as Tokens.List).items.map((item) => inlineText(item.tokens)).join(" ");
  return "tokens" in token && token.tokens ? inlineText(token.tokens) : "text" in token ? token.text : "";
}

function inlineText(tokens: Token[]): string {
  return tokens.map(textOf).join("");
}

/** `_headers` and “Páginas: Astro” become `_headers` and `paginas-astro`. */
function idOf(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .replace(/^-|-$/g, "");
}
