import type { IncomingMessage, ServerResponse } from "node:http";
import { encodePath, type FileResolution, lacksAsset, locate, parseUrl } from "@nido/static-site";
import type { Deploys } from "../../deploys/Deploys.ts";
import type { ShownBranch, SiteEntry } from "../../domains/findSite.ts";
import type { FastRequest, FastResponse } from "../fastPath/FastHead.ts";
import { noteSource } from "../requestSource.ts";
import { sendMissing } from "../sendMissing.ts";
import { sendText } from "../sendText.ts";
import { DeployCache } from "./DeployCache.ts";
import { FastFiles } from "./FastFiles.ts";
import { FileCache } from "./FileCache.ts";
import { ReplacedAssets } from "./ReplacedAssets.ts";
import { sendFile } from "./sendFile.ts";

/** What a visitor is shown. */
export interface ServedBranch extends ShownBranch {
  /** only visitors who know a password may see it */
  isPrivate: boolean;
  /** search engines must not list it */
  isPreview: boolean;
}

/** Serves static sites: the deploy that a branch shows, from memory where possible. */
export class StaticServer {
  private readonly deploys: Deploys;
  private readonly deployCache: DeployCache;
  private readonly files: FileCache;
  private readonly fastFiles: FastFiles;
  private readonly replacedAssets: ReplacedAssets;

  constructor(deploys: Deploys) {
    this.deploys = deploys;
    this.deployCache = new DeployCache(deploys);
    this.replacedAssets = new ReplacedAssets(deploys.db);
    this.files = new FileCache(deploys.store);
    this.fastFiles = new FastFiles(this.files);
  }

  async serve(site: SiteEntry, branch: ServedBranch, request: IncomingMessage, response: ServerResponse) {
    if (request.method !== "GET" && request.method !== "HEAD") return sendText(response, 405, { allow: "GET, HEAD" });
    const target = parseUrl(request.url ?? "/");
    if (!target) return sendMissing(request, response, { siteLanguage: site.lang });
    if (target.moved !== undefined) return sendRedirect(response, 308, locate(encodePath(target.moved), target.query));
    const deploy = await this.deployCache.find(branch, site.userId);
    const send = (found: FileResolution) => this.send(site.userId, adapt(found, branch), request, response);
    const resolution = deploy.resolve(target.path, target.query, request.headers.host);
    if (lacksAsset(target.path, resolution)) {
      const name = target.path.slice(1);
      const file = await this.replacedAssets.find(branch, site.userId, name);
      // Old deploys may be deleted while their lists of files are still in memory.
      const isSent =
        file &&
        (await send(deploy.show(target.path, name, file)).then(
          () => true,
          () => false,
        ));
      if (isSent || response.headersSent) return;
    }
    if (resolution.kind === "none") return sendMissing(request, response, { siteLanguage: site.lang });
    if (resolution.kind === "file") return send(resolution);
    sendRedirect(response, resolution.status, resolution.to);
  }

  /** For the fast path: the response, if all of it is in memory. */
  findFast(branch: ShownBranch, request: FastRequest): FastResponse | undefined {
    const deploy = this.deployCache.peek(branch);
    return deploy && this.fastFiles.find(deploy, request);
  }

  /** For the fast path: reads the file into memory, unless it is too large. */
  async load(site: SiteEntry, branch: ShownBranch, request: FastRequest) {
    const deploy = await this.deployCache.find(branch, site.userId);
    await this.fastFiles.load(deploy, request);
  }

  private send(userId: string, resolution: FileResolution, request: IncomingMessage, response: ServerResponse) {
    noteSource(response, "disk");
    return sendFile({ userId, files: this.files, store: this.deploys.store }, resolution, request, response);
  }
}

function sendRedirect(response: ServerResponse, status: number, location: string) {
  response.writeHead(status, { location, "cache-control": "public, max-age=0, must-revalidate" }).end();
}

/** What a site's own headers cannot change. */
function adapt(found: FileResolution, { isPrivate, isPreview }: ServedBranch): FileResolution {
  const resolution = isPrivate ? withoutSharing(found) : found;
  return isPreview ? { ...resolution, headers: { ...resolution.headers, "x-robots-tag": "noindex" } } : resolution;
}

/** Proxies must not keep what only some visitors may see. */
function withoutSharing(resolution: FileResolution): FileResolution {
  const { "cache-control": caching = "", ...headers } = resolution.headers;
  const rest = caching.split(/\s*,\s*/).filter((part) => part !== "" && part !== "public" && part !== "private");
  return { ...resolution, headers: { ...headers, "cache-control": ["private", ...rest].join(", ") } };
}
