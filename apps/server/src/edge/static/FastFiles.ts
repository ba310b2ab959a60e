import { blobKey, type Encoding } from "../../deploys/blobs/BlobStore.ts";
import { FastHead, type FastRequest, type FastResponse } from "../fastPath/FastHead.ts";
import { chooseEncoding } from "./chooseEncoding.ts";
import type { FileCache } from "./FileCache.ts";
import { fileHeaders, isPage } from "./fileHeaders.ts";
import { parseUrl } from "./parseUrl.ts";
import type { DeployFile, StaticDeploy } from "./StaticDeploy.ts";

/** The limit for the heads of all deploys together, in bytes. */
const maxBytes = 64 * 2 ** 20;
/** The limit for one deploy, because its visitors can create many heads by varying Accept-Encoding. */
const maxBytesOfOne = maxBytes / 8;
const headBytes = 2000;
const maxKeyLength = 300;
/** A head keeps a copy of its body up to this size. */
const maxJoinedBytes = 16_384;

/** The prepared head of a response; the body is in the file cache. */
interface FileHead {
  isPage: boolean;
  head: FastHead;
  file: DeployFile;
  encoding: Encoding | undefined;
  /** the body's key in the file cache */
  key: string;
  onSlow: FastResponse["onSlow"];
}

interface FastFile extends FastResponse {
  isPage: boolean;
}

/** Complete responses for the fast path: GET requests whose file is in memory. */
export class FastFiles {
  private readonly files: FileCache;
  private headsOf = new WeakMap<StaticDeploy, { bytes: number; byRequest: Map<string, FileHead> }>();
  private bytes = 0;

  constructor(files: FileCache) {
    this.files = files;
  }

  find(deploy: StaticDeploy, request: FastRequest): FastFile | undefined {
    const found = this.headOf(deploy, request);
    const body = found && this.files.peek(deploy.userId, found.key);
    return body && { isPage: found.isPage, head: found.head, body, onSlow: found.onSlow };
  }

  async load(deploy: StaticDeploy, request: FastRequest) {
    const found = this.headOf(deploy, request);
    if (!found) return;
    await this.files.find(deploy.userId, found.file.sha256, sizeOf(found), found.encoding);
  }

  private headOf(deploy: StaticDeploy, { url, headers }: FastRequest): FileHead | undefined {
    if (headers["if-none-match"] !== undefined || url.includes("?")) return undefined;
    const encodings = headers["accept-encoding"] as string | undefined;
    const key = `${url} ${encodings ?? ""}`;
    if (key.length > maxKeyLength) return undefined;
    return this.headsOf.get(deploy)?.byRequest.get(key) ?? this.prepare(key, deploy, url, encodings);
  }

  private prepare(
    request: string,
    deploy: StaticDeploy,
    url: string,
    encodings: string | undefined,
  ): FileHead | undefined {
    const target = parseUrl(url);
    const resolution = target && deploy.resolve(target.path, target.query);
    if (resolution?.kind !== "file") return undefined;
    const encoding = chooseEncoding(encodings, resolution.file.forms);
    const { file } = resolution;
    const found: FileHead = {
      isPage: isPage(resolution),
      head: new FastHead(resolution.status, fileHeaders(resolution, encoding), maxJoinedBytes),
      file,
      encoding,
      key: blobKey(deploy.userId, file.sha256, encoding),
      onSlow: (response, sent) => this.files.inUse.add(deploy.userId, sizeOf(found), response, sent),
    };
    this.store(deploy, request, found, sizeOf(found));
    return found;
  }

  private store(deploy: StaticDeploy, key: string, head: FileHead, size: number) {
    const bytes = headBytes + (size <= maxJoinedBytes ? size : 0);
    if (this.bytes + bytes > maxBytes) {
      this.headsOf = new WeakMap();
      this.bytes = 0;
    }
    let heads = this.headsOf.get(deploy);
    if (!heads || heads.bytes + bytes > maxBytesOfOne) {
      this.bytes -= heads?.bytes ?? 0;
      heads = { bytes: 0, byRequest: new Map() };
      this.headsOf.set(deploy, heads);
    }
    this.bytes += bytes;
    heads.bytes += bytes;
    heads.byRequest.set(key, head);
  }
}

function sizeOf({ file, encoding }: Pick<FileHead, "file" | "encoding">): number {
  return encoding ? (file.forms[encoding] ?? 0) : file.size;
}
