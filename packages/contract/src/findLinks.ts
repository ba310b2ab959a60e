/** The addresses in a page or stylesheet that can be checked, each once. */
export interface Links {
  /** parts of the page, such as an image or a stylesheet */
  assets: string[];
  /** other pages */
  pages: string[];
}

const attribute = /\s(href|src|poster|srcset|imagesrcset|style)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const styleAddress = /\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'()]+))\s*\)/gi;
const styleComment = /\/\*[\s\S]*?(?:\*\/|$)/g;
/** What begins and ends what is no part of the page. */
const hiddenStart = /<!--|<(script|style|template)\b/gi;
const hiddenEnds = { script: /<\/script/gi, style: /<\/style/gi, template: /<\/template/gi };
/** Addresses of other sites, of the same page, and placeholders of templates are not checked. */
const unchecked = /^([a-z][a-z0-9+.-]*:|\/\/|#|\?|$)|[{}<>]|%7B/i;
const asset = /\.(css|m?js|woff2?|png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|mp3|webmanifest)([?#]|$)/i;
const entities: Record<string, string> = { amp: "&", quot: '"', apos: "'", "#39": "'", "#34": '"' };

export function findLinks(html: string): Links {
  const { text, styles } = split(html);
  const assets = new Set(styles.flatMap(styleAddresses));
  const pages = new Set<string>();
  for (const [, name = "", one, two, three] of text.matchAll(attribute)) {
    const value = decode(one ?? two ?? three ?? "");
    const kind = name.toLowerCase();
    if (kind === "href") (asset.test(value) ? assets : pages).add(value.trim());
    else if (kind === "style") for (const address of styleAddresses(value)) assets.add(address);
    else if (kind.endsWith("srcset")) for (const address of sourceAddresses(value)) assets.add(address);
    else assets.add(value.trim());
  }
  return { assets: checkable(assets), pages: checkable(pages).filter((link) => !assets.has(link)) };
}

export function findStyleLinks(css: string): Links {
  return { assets: checkable(new Set(styleAddresses(css))), pages: [] };
}

function styleAddresses(css: string): string[] {
  return [...css.replace(styleComment, "").matchAll(styleAddress)].map(([, one, two, three]) =>
    (one ?? two ?? three ?? "").trim(),
  );
}

/** The addresses of a `srcset`, each of which may be followed by a width or density. An address may contain commas. */
function sourceAddresses(set: string): string[] {
  const addresses: string[] = [];
  let isNext = true;
  for (const word of set.split(/\s+/)) {
    const start = isNext ? 0 : word.indexOf(",") + 1;
    if (!isNext && start === 0) continue;
    const address = word.slice(start);
    addresses.push(address.replace(/,+$/, ""));
    isNext = address === "" || address.endsWith(",");
  }
  return addresses;
}

function checkable(links: Set<string>): string[] {
  return [...links].filter((link) => !unchecked.test(link));
}

function decode(value: string): string {
  return value.includes("&")
    ? value.replace(/&(#?\w+);/g, (whole, name) => entities[name.toLowerCase()] ?? whole)
    : value;
}

/**
 * The page without comments and the contents of scripts and styles, and its styles. The tag that begins a script stays:
 * it may name a file.
 */
function split(html: string): { text: string; styles: string[] } {
  let [text, at] = ["", 0];
  const styles: string[] = [];
  hiddenStart.lastIndex = 0;
  for (let start = hiddenStart.exec(html); start; start = hiddenStart.exec(html)) {
    const name = start[1]?.toLowerCase() as keyof typeof hiddenEnds | undefined;
    text += html.slice(at, start.index);
    if (name) {
      const tagEnd = html.indexOf(">", start.index);
      if (tagEnd < 0) return { text, styles };
      text += html.slice(start.index, tagEnd);
      at = search(html, hiddenEnds[name], tagEnd);
      if (name === "style" && at >= 0) styles.push(html.slice(tagEnd + 1, at));
    } else at = html.indexOf("-->", start.index);
    if (at < 0) return { text, styles };
    hiddenStart.lastIndex = at;
  }
  return { text: text + html.slice(at), styles };
}

function search(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}
