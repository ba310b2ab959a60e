import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Deploys } from "../../deploys/Deploys.ts";
import type { ShownBranch, SiteEntry } from "../../domains/findSite.ts";
import type { FastRequest, FastResponse } from "../fastPath/FastHead.ts";
import { sendMissing } from "../sendMissing.ts";
import { sendText } from "../sendText.ts";
import { DeployAffinity } from "./DeployAffinity.ts";
import { DeployCache } from "./DeployCache.ts";
import { FastFiles } from "./FastFiles.ts";
import { FileCache } from "./FileCache.ts";
import { isPage } from "./fileHeaders.ts";
import { parseUrl } from "./parseUrl.ts";
import type { FileResolution } from "./StaticDeploy.ts";
import { sendFile } from "./sendFile.ts";

/** Serves static sites: the deploy that a branch shows, from memory where possible. */
export class StaticServer {
  private readonly deploys: Deploys;
  private readonly deployCache: DeployCache;
  private readonly files: FileCache;
  private readonly fastFiles: FastFiles;
  private readonly affinity = new DeployAffinity();

  constructor(deploys: Deploys) {
    this.deploys = deploys;
    this.deployCache = new DeployCache(deploys);
    this.files = new FileCache(deploys.store);
    this.fastFiles = new FastFiles(this.files);
  }

  async serve(site: SiteEntry, branch: ShownBranch, request: IncomingMessage, response: ServerResponse) {
    if (request.method !== "GET" && request.method !== "HEAD") return sendText(response, 405, { allow: "GET, HEAD" });
    const target = parseUrl(request.url ?? "/");
    if (!target) return sendMissing(request, response, { siteLanguage: site.lang });
    const deploy = await this.deployCache.find(branch, site.userId);
    const resolution = deploy.resolve(target.path, target.query);
    const visitor = visitorKey(site.id, request.headers, request.socket.remoteAddress);
    if (resolution.kind === "file" && isPage(resolution)) this.affinity.record(visitor, branch);
    else {
      const previous = await this.findInPrevious(site, branch, visitor, target);
      if (previous) return this.send(site.userId, previous, request, response);
    }
    if (resolution.kind === "none") return sendMissing(request, response, { siteLanguage: site.lang });
    if (resolution.kind === "file") return this.send(site.userId, resolution, request, response);
    const { status, to } = resolution;
    response.writeHead(status, { location: to, "cache-control": "public, max-age=0, must-revalidate" }).end();
  }

  /** For the fast path: the response, if all of it is in memory. */
  findFast(site: SiteEntry, branch: ShownBranch, request: FastRequest): FastResponse | undefined {
    const deploy = this.deployCache.peek(branch);
    const found = deploy && this.fastFiles.find(deploy, request);
    if (!found) return undefined;
    if (!found.isPage && !this.affinity.wasReplaced(branch)) return found;
    const { derived, headers, address } = request;
    derived.visitor ??= visitorKey(site.id, headers, address);
    if (found.isPage) this.affinity.record(derived.visitor, branch);
    else if (this.affinity.findPrevious(branch, derived.visitor)) return undefined;
    return found;
  }

  /** For the fast path: reads the file into memory, unless it is too large. */
  async load(site: SiteEntry, branch: ShownBranch, request: FastRequest) {
    const deploy = await this.deployCache.find(branch, site.userId);
    await this.fastFiles.load(deploy, request);
  }

  /** The file in the previous deploy, if the visitor's page came from there. */
  private async findInPrevious(
    site: SiteEntry,
    branch: ShownBranch,
    visitor: string,
    { path, query }: { path: string; query: string },
  ): Promise<FileResolution | undefined> {
    const version = this.affinity.findPrevious(branch, visitor);
    const deploy = version && (await this.deployCache.find(version, site.userId));
    const resolution = deploy?.resolve(path, query);
    return resolution?.kind === "file" && !isPage(resolution) ? resolution : undefined;
  }

  private send(userId: string, resolution: FileResolution, request: IncomingMessage, response: ServerResponse) {
    return sendFile({ userId, files: this.files, store: this.deploys.store }, resolution, request, response);
  }
}

/** Identifies a visitor well enough to recognise them within half a minute. */
function visitorKey(siteId: string, headers: IncomingHttpHeaders, address = ""): string {
  const { "x-forwarded-for": forwarded = "", "user-agent": browser = "" } = headers;
  return `${siteId} ${address} ${String(forwarded).slice(0, 60)} ${browser.slice(0, 160)}`;
}
