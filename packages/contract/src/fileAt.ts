/** The files of a static site, by name: `blog/index.html`. */
export interface FileNames {
  has(name: string): boolean;
}

const rulesFiles = new Set(["_redirects", "_headers"]);

/** The file that a decoded path means. A page may be shown at another address: see `addressOf`. */
export function fileAt(files: FileNames, path: string): string | undefined {
  const name = path.slice(1);
  if (files.has(name)) return rulesFiles.has(name) ? undefined : name;
  const pages = name.endsWith("/") ? [] : [`${name}.html`, `${name}/index.html`];
  const bare = name.replace(/\.html$/, "").replace(/(^|\/)(index)?$/, "");
  if (bare === "") pages.push("index.html");
  else pages.push(`${bare}/index.html`);
  // Beside a file of the page's short name, other addresses than the page's own could mean both.
  if (bare !== "" && !files.has(bare)) pages.push(`${bare}.html`);
  return pages.find((page) => files.has(page));
}

/** Whether a path means the file before any rule does. After the rules, pages have other spellings: `/folder.html`. */
export function isNamedBy(path: string, file: string): boolean {
  const name = path.slice(1);
  return name === "" || name.endsWith("/") || [name, `${name}.html`, `${name}/index.html`].includes(file);
}

/** Where a file is shown: pages without `.html` and `index.html`. */
export function addressOf(files: FileNames, name: string): string {
  if (!name.endsWith(".html")) return `/${name}`;
  if (/(^|\/)index\.html$/.test(name)) return `/${name.slice(0, -"index.html".length)}`;
  const bare = name.slice(0, -".html".length);
  // Beside a file of the page's short name, the page keeps its own.
  return files.has(bare) ? `/${name}` : `/${bare}`;
}
