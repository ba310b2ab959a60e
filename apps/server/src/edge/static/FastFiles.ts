import { lacksAsset, parseUrl, type SiteFileEntry } from "@nido/static-site";
import { blobKey, type Encoding } from "../../deploys/blobs/BlobStore.ts";
import { ownCopy } from "../../platform/ownCopy.ts";
import { loggedPath } from "../../traffic/RecentRequests.ts";
import { chooseEncoding } from "../chooseEncoding.ts";
import { isUnchanged } from "../conditionalRequest.ts";
import { FastHead, type FastRequest, type FastResponse } from "../fastPath/FastHead.ts";
import type { FileCache } from "./FileCache.ts";
import { fileHeaders } from "./fileHeaders.ts";
import type { StaticDeploy } from "./StaticDeploy.ts";

/** The limit for the heads of all deploys together, in bytes. */
const maxBytes = 64 * 2 ** 20;
/** The limit for one deploy, because its visitors can create many heads by varying Accept-Encoding. */
const maxBytesOfOne = maxBytes / 8;
const headBytes = 3000;
const maxKeyLength = 300;
/** A head keeps a copy of its body up to this size. */
const maxJoinedBytes = 16_384;
const nothing = Buffer.alloc(0);

/** The prepared head of a response; the body is in the file cache. */
interface FileHead {
  head: FastHead;
  file: SiteFileEntry;
  encoding: Encoding | undefined;
  /** the body's key in the file cache */
  key: string;
  etag: string;
  onSlow: FastResponse["onSlow"];
  /** as it is logged */
  path: string;
  /** the whole response, if it is small */
  small?: FastResponse;
  /** for visitors who have the file already */
  unchanged: FastResponse | undefined;
}

/** Complete responses for the fast path: GET requests whose file is in memory. */
export class FastFiles {
  private readonly files: FileCache;
  private headsOf = new WeakMap<StaticDeploy, { bytes: number; byEncodings: Map<string, Map<string, FileHead>> }>();
  private bytes = 0;

  constructor(files: FileCache) {
    this.files = files;
  }

  find(deploy: StaticDeploy, request: FastRequest): FastResponse | undefined {
    const found = this.headOf(deploy, request);
    if (!found) return undefined;
    const unchanged = unchangedFor(found, request);
    if (unchanged || found.small) return unchanged ?? found.small;
    const body = this.files.peek(deploy.userId, found.key);
    if (!body) return undefined;
    const { head, onSlow, path } = found;
    const response = { head, body, onSlow, path };
    if (body.length <= maxJoinedBytes) found.small = response;
    return response;
  }

  async load(deploy: StaticDeploy, request: FastRequest) {
    const found = this.headOf(deploy, request);
    if (!found || unchangedFor(found, request)) return;
    await this.files.find(deploy.userId, found.file.sha256, sizeOf(found), found.encoding);
  }

  private headOf(deploy: StaticDeploy, { url, headers }: FastRequest): FileHead | undefined {
    if (url.includes("?")) return undefined;
    const { "accept-encoding": encodings = "" } = headers as { "accept-encoding"?: string };
    if (url.length + encodings.length > maxKeyLength) return undefined;
    const known = this.headsOf.get(deploy)?.byEncodings.get(encodings)?.get(url);
    return known ?? this.prepare(deploy, url, encodings);
  }

  private prepare(deploy: StaticDeploy, url: string, encodings: string): FileHead | undefined {
    const target = parseUrl(url);
    if (!target || target.moved !== undefined) return undefined;
    const resolution = deploy.resolve(target.path, target.query);
    if (resolution.kind !== "file" || lacksAsset(target.path, resolution)) return undefined;
    const encoding = chooseEncoding(encodings, resolution.file.forms);
    const { file, status } = resolution;
    const fields = fileHeaders(resolution, encoding);
    const path = loggedPath(url);
    const { "content-length": _, "content-type": __, ...rest } = fields;
    const found: FileHead = {
      head: new FastHead(status, fields, maxJoinedBytes),
      path,
      etag: fields["etag"] ?? "",
      unchanged: status === 200 ? { head: new FastHead(304, rest, 0), body: nothing, path } : undefined,
      file,
      encoding,
      key: blobKey(deploy.userId, file.sha256, encoding),
      onSlow: (response, sent) => this.files.inUse.add(deploy.userId, sizeOf(found), response, sent),
    };
    this.store(deploy, url, encodings, found);
    return found;
  }

  private store(deploy: StaticDeploy, url: string, encodings: string, head: FileHead) {
    const size = sizeOf(head);
    // A small body is kept three times at most: alone, and joined with the head, without and with HSTS.
    const bytes = headBytes + (size <= maxJoinedBytes ? 3 * size : 0);
    if (this.bytes + bytes > maxBytes) {
      this.headsOf = new WeakMap();
      this.bytes = 0;
    }
    let heads = this.headsOf.get(deploy);
    if (!heads || heads.bytes + bytes > maxBytesOfOne) {
      this.bytes -= heads?.bytes ?? 0;
      heads = { bytes: 0, byEncodings: new Map() };
      this.headsOf.set(deploy, heads);
    }
    this.bytes += bytes;
    heads.bytes += bytes;
    const byUrl = heads.byEncodings.get(encodings) ?? new Map<string, FileHead>();
    heads.byEncodings.set(ownCopy(encodings), byUrl.set(ownCopy(url), head));
  }
}

/** The same rule as for every file: If-Modified-Since is not for the fast path. */
function unchangedFor({ unchanged, etag }: FileHead, { headers }: FastRequest): FastResponse | undefined {
  return headers["if-none-match"] !== undefined && isUnchanged(headers, etag, "") ? unchanged : undefined;
}

function sizeOf({ file, encoding }: Pick<FileHead, "file" | "encoding">): number {
  return encoding ? (file.forms[encoding] ?? 0) : file.size;
}
