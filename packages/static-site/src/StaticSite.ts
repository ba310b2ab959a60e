import {
  followRedirect,
  type HeaderRule,
  headersFor,
  isReservedPath,
  queryValues,
  type Redirect,
  splitPath,
} from "@nido/contract";
import { isFingerprinted } from "./isFingerprinted.ts";
import { locate, maxVainRules, type Requested, redirectTarget } from "./redirectTarget.ts";

/** A file that a static site shows. */
export interface SiteFileEntry {
  sha256: string;
  size: number;
  type: string;
  /** the size of each compressed form; null if there is none */
  forms: { gzip: number | null; br: number | null };
}

export type FileResolution = { kind: "file"; file: SiteFileEntry; status: number; headers: Record<string, string> };
export type Resolution = FileResolution | { kind: "redirect"; status: number; to: string } | { kind: "none" };

export interface SiteContents {
  /** when it was published */
  publishedAt: Date;
  files: Map<string, SiteFileEntry>;
  redirects: Redirect[];
  headerRules: HeaderRule[];
}

const revalidate = "public, max-age=0, must-revalidate";
const immutable = "public, max-age=31536000, immutable";
const font = /\.(woff2?|ttf|otf|eot)$/i;
const rulesFiles = new Set(["_redirects", "_headers"]);

/** The files and rules of a static site, and how paths resolve to them. Immutable. */
export class StaticSite {
  readonly files: Map<string, SiteFileEntry>;
  private readonly lastModified: string;
  private readonly redirects: Redirect[];
  private readonly headerRules: HeaderRule[];

  constructor({ publishedAt, files, redirects, headerRules }: SiteContents) {
    this.lastModified = publishedAt.toUTCString();
    this.files = files;
    this.redirects = redirects;
    this.headerRules = headerRules;
  }

  /** The approximate size in memory, in units of one file. */
  get weight(): number {
    return 50 + this.files.size + 10 * (this.redirects.length + this.headerRules.length);
  }

  /** Resolves a decoded path. */
  resolve(path: string, query = ""): Resolution {
    if (isReservedPath(path)) return { kind: "none" };
    const found = this.find(path);
    const followed = this.followRules(found.kind !== "none", { segments: splitPath(path), query });
    if (followed) return followed;
    if (found.kind === "redirect") return { ...found, to: locate(found.to, query) };
    return found.kind === "file" ? found : this.findMissingPage(path);
  }

  private followRules(hasFile: boolean, requested: Requested): Resolution | undefined {
    const query = queryValues(new URLSearchParams(requested.query));
    let vain = 0;
    for (const rule of this.redirects) {
      if (hasFile && !rule.isForced) continue;
      const to = followRedirect(rule, requested.segments, query);
      if (to === undefined) continue;
      const followed = this.follow(rule, to, requested);
      if (followed) return followed;
      if (++vain >= maxVainRules) return undefined;
    }
    return undefined;
  }

  /** Undefined if the target of a rule does not exist. */
  private follow(rule: Redirect, followed: string, requested: Requested): Resolution | undefined {
    if (rule.status !== 200 && rule.status !== 404) {
      const to = redirectTarget(followed, requested);
      return to === undefined || this.leadsBack(to, requested)
        ? undefined
        : { kind: "redirect", status: rule.status, to };
    }
    try {
      const shown = this.findFile(decodeURIComponent(followed.split(/[?#]/)[0] ?? "/"));
      return shown && { ...shown, status: rule.status };
    } catch {
      return undefined; // a placeholder filled by the visitor can make an invalid address
    }
  }

  /** Whether the target is a page that is shown at the address where the visitor is: `/about.html` at `/about`. */
  private leadsBack(to: string, { segments }: Requested): boolean {
    const [path = ""] = to.split(/[?#]/, 1);
    const next = to.startsWith("/") ? this.find(decodeURIComponent(path)) : undefined;
    return next?.kind === "redirect" && splitPath(decodeURIComponent(next.to)).join("/") === segments.join("/");
  }

  /** The target of a rewrite rule, which may name a file or a clean URL. */
  private findFile(path: string) {
    const name = path.slice(1);
    const file = rulesFiles.has(name) ? undefined : this.files.get(name);
    if (file) return this.show(path, name, file);
    const found = this.find(path);
    return found.kind === "file" ? found : undefined;
  }

  private find(path: string): Resolution {
    const name = path.slice(1);
    const file = this.files.get(name);
    if (path.endsWith("/")) {
      const index = this.files.get(`${name}index.html`);
      if (index) return this.show(path, `${name}index.html`, index);
      const bare = name.slice(0, -1);
      if (bare === "" || !this.files.has(`${bare}.html`)) return { kind: "none" };
      return moved(this.files.has(bare) ? `/${bare}.html` : `/${bare}`);
    }
    if (file && !rulesFiles.has(name)) {
      if (/(^|\/)index\.html$/.test(name)) return moved(path.slice(0, -"index.html".length));
      const bare = name.slice(0, -".html".length);
      // Beside a file of the page's short name, the page keeps its own.
      if (name.endsWith(".html") && !this.files.has(bare)) return moved(`/${bare}`);
      return this.show(path, name, file);
    }
    const page = this.files.get(`${name}.html`);
    if (page) return this.show(path, `${name}.html`, page);
    return this.files.has(`${name}/index.html`) ? moved(`${path}/`) : { kind: "none" };
  }

  /** The nearest 404.html, from the path's own folder upwards. */
  private findMissingPage(path: string): Resolution {
    const folders = path.slice(1).split("/").slice(0, -1);
    for (let depth = folders.length; depth >= 0; depth--) {
      const name = [...folders.slice(0, depth), "404.html"].join("/");
      const page = this.files.get(name);
      if (!page) continue;
      const { headers, ...shown } = this.show(path, name, page);
      // A missing page may exist after the next deploy.
      return { ...shown, status: 404, headers: { ...headers, "cache-control": revalidate } };
    }
    return { kind: "none" };
  }

  show(path: string, name: string, file: SiteFileEntry) {
    const usual = {
      // At another address, a rule may show another file tomorrow.
      "cache-control": path.slice(1) === name && isFingerprinted(name) ? immutable : revalidate,
      // Pages of other sites may use a font only if it allows them to.
      // Of the publication: a file that was sent long ago may be new at this address.
      "last-modified": this.lastModified,
      ...(font.test(name) && { "access-control-allow-origin": "*" }),
    };
    const headers = { ...usual, ...headersFor(this.headerRules, path, `/${name}`) };
    return { kind: "file" as const, file, status: 200, headers };
  }
}

/** Whether the path names a file by its content and the site has no such file: at most, it shows a page instead. */
export function lacksAsset(path: string, resolution: Resolution): boolean {
  const isPage = resolution.kind === "file" && resolution.file.type.startsWith("text/html");
  return (isPage || resolution.kind === "none") && isFingerprinted(path.slice(1));
}

/** 308 keeps the method. */
function moved(path: string): Resolution & { kind: "redirect" } {
  return { kind: "redirect", status: 308, to: encodePath(path) };
}

export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
