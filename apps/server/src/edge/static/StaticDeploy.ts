import { followRedirect, type HeaderRule, headersFor, type Redirect } from "@nido/contract";
import { contentTypeOf } from "../../deploys/contentType.ts";

/** A file that a static site shows. */
export interface ReleaseFile {
  sha256: string;
  size: number;
  type: string;
  /** how many bytes it has in each form that it can be had in */
  forms: { gzip: number | null; br: number | null };
}

export type Resolution =
  | { kind: "file"; file: ReleaseFile; status: number; headers: Record<string, string> }
  | { kind: "redirect"; status: number; to: string }
  | { kind: "none" };

interface Contents {
  userId: string;
  files: Map<string, ReleaseFile>;
  redirects: Redirect[];
  headerRules: HeaderRule[];
}

const alwaysAsk = "public, max-age=0, must-revalidate";
const forEver = "public, max-age=31536000, immutable";
/** Of a name with a digest in it, as bundlers make them, the bytes never change: hexadecimal, or of mixed case with a digit. */
const fingerprint =
  /[.-](?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{8,})\.(css|js|mjs|woff2?|ttf|otf|png|jpe?g|webp|avif|gif|svg|ico|mp4|webm|wasm|map)$/;
const rulesFiles = new Set(["_redirects", "_headers"]);

/** What a static site shows since its last publication. It never changes: another publication is another release. */
export class Release {
  readonly userId: string;
  readonly files: Map<string, ReleaseFile>;
  private readonly redirects: Redirect[];
  private readonly headerRules: HeaderRule[];

  constructor({ userId, files, redirects, headerRules }: Contents) {
    this.userId = userId;
    this.files = files;
    this.redirects = redirects;
    this.headerRules = headerRules;
  }

  /** About what it takes in memory, in files. */
  get weight(): number {
    return 50 + this.files.size + 10 * (this.redirects.length + this.headerRules.length);
  }

  /** What answers at a path, which is not encoded any more. */
  resolve(path: string, query = ""): Resolution {
    const found = this.find(path);
    const params = new URLSearchParams(query);
    for (const rule of this.redirects) {
      if (found.kind !== "none" && !rule.isForced) continue;
      const followed = this.follow(rule, path, params, query);
      if (followed) return followed;
    }
    if (found.kind === "redirect") return { ...found, to: target(found.to, query) };
    return found.kind === "file" ? found : this.findMissingPage(path);
  }

  /** Where a rule leads; undefined where it is not about this path, or leads nowhere for it. */
  private follow(rule: Redirect, path: string, params: URLSearchParams, query: string): Resolution | undefined {
    const to = followRedirect(rule, path, params);
    if (to === undefined) return undefined;
    try {
      if (rule.status !== 200 && rule.status !== 404)
        return { kind: "redirect", status: rule.status, to: target(to, query) };
      const shown = this.findFile(decodeURIComponent(to.split(/[?#]/)[0] ?? "/"));
      return shown && { ...shown, status: rule.status };
    } catch {
      return undefined; // a visitor's words can make an address that is none
    }
  }

  /** For a rule that names a file by its own name, or by its address. */
  private findFile(path: string) {
    const file = this.files.get(path.slice(1));
    if (file) return this.show(path, path.slice(1), file);
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
      return bare !== "" && this.files.has(`${bare}.html`) ? moved(`/${bare}`) : { kind: "none" };
    }
    if (file && !rulesFiles.has(name)) {
      if (/(^|\/)index\.html$/.test(name)) return moved(path.slice(0, -"index.html".length));
      if (name.endsWith(".html")) return moved(path.slice(0, -".html".length));
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
      // What is not there now may be there soon.
      return { ...shown, status: 404, headers: { ...headers, "cache-control": alwaysAsk } };
    }
    return { kind: "none" };
  }

  private show(path: string, name: string, file: ReleaseFile) {
    const caching = { "cache-control": fingerprint.test(name) ? forEver : alwaysAsk };
    return { kind: "file" as const, file, status: 200, headers: { ...caching, ...headersFor(this.headerRules, path) } };
  }
}

export function releaseFile(path: string, sha256: string, size: number, forms: ReleaseFile["forms"]): ReleaseFile {
  return { sha256, size, type: contentTypeOf(path), forms };
}

/** 308, as the rest of such a move is kept too. */
function moved(path: string): Resolution & { kind: "redirect" } {
  return { kind: "redirect", status: 308, to: path.split("/").map(encodeURIComponent).join("/") };
}

/** Where a browser is sent: never to another host by two slashes that a visitor put there; with its query, where the rule has none. */
function target(to: string, query: string): string {
  if (/^https?:\/\//i.test(to)) return new URL(to).href;
  const { pathname, search, hash } = new URL(to.replace(/^\/[/\\]+/, "/"), "http://site.invalid");
  return pathname.replace(/^\/{2,}/, "/") + (search || (query && `?${query}`)) + hash;
}
