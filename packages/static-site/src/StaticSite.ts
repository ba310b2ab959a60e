import { type HeaderRule, headersFor, isReservedPath, type Redirect, resolvePath } from "@nido/contract";
import { isFingerprinted } from "./isFingerprinted.ts";

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

/** The files and rules of a static site, and how paths resolve to them. Immutable. */
export class StaticSite {
  readonly files: Map<string, SiteFileEntry>;
  readonly redirects: Redirect[];
  private readonly lastModified: string;
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

  /** Resolves a decoded path. Without `host`, a rule may lead back to the visitor's address by its host. */
  resolve(path: string, query = "", host?: string): Resolution {
    if (isReservedPath(path)) return { kind: "none" };
    const answer = resolvePath(this, path, query, host);
    if (answer.kind === "redirect") return { kind: "redirect", status: answer.status, to: answer.to };
    const file = answer.kind === "file" ? this.files.get(answer.name) : undefined;
    if (answer.kind === "none" || !file) return this.findMissingPage(path);
    const { name, status, rule } = answer;
    // What a rule shows at another address has the headers of that address.
    return { ...this.show(path, name, file, rule ? path : `/${name}`), status };
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

  /** `filePath`: what rules for headers may also name. */
  show(path: string, name: string, file: SiteFileEntry, filePath = `/${name}`): FileResolution {
    const usual = {
      // At another address, a rule may show another file tomorrow.
      "cache-control": path.slice(1) === name && isFingerprinted(name) ? immutable : revalidate,
      // Of the publication: a file that was sent long ago may be new at this address.
      "last-modified": this.lastModified,
      // Pages of other sites may use a font only if it allows them to.
      ...(font.test(name) && { "access-control-allow-origin": "*" }),
    };
    const headers = { ...usual, ...headersFor(this.headerRules, path, filePath) };
    return { kind: "file", file, status: 200, headers };
  }
}

/** Whether the path names a file by its content and the site has no such file: at most, it shows a page instead. */
export function lacksAsset(path: string, resolution: Resolution): boolean {
  const isPage = resolution.kind === "file" && resolution.file.type.startsWith("text/html");
  return (isPage || resolution.kind === "none") && isFingerprinted(path.slice(1));
}
