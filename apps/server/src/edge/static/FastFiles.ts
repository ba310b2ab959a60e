import { blobKey, type Encoding } from "../../deploys/blobs/BlobStore.ts";
import { FastHead, type FastRequest, type FastResponse } from "../fastPath/FastHead.ts";
import { chooseEncoding } from "./chooseEncoding.ts";
import type { FileCache } from "./FileCache.ts";
import { fileHeaders, isPage } from "./fileHeaders.ts";
import { parseUrl } from "./parseUrl.ts";
import type { DeployFile, StaticDeploy } from "./StaticDeploy.ts";

/** The limit for the heads of all deploys together. */
const maxHeads = 20_000;
/** The limit for one deploy, because its visitors can create many heads by varying Accept-Encoding. */
const maxHeadsOfOne = 2000;
const maxKeyLength = 300;
/** Small, because as many heads as `maxHeads` may hold such a copy. */
const maxJoinedBytes = 4096;

/** The prepared head of a response; the body is in the file cache. */
interface FileHead {
  isPage: boolean;
  head: FastHead;
  file: DeployFile;
  encoding: Encoding | undefined;
  /** the body's key in the file cache */
  key: string;
}

interface FastFile extends FastResponse {
  isPage: boolean;
}

/** Complete responses for the fast path: GET requests whose file is in memory. */
export class FastFiles {
  private readonly files: FileCache;
  private headsOf = new WeakMap<StaticDeploy, Map<string, FileHead>>();
  private headCount = 0;

  constructor(files: FileCache) {
    this.files = files;
  }

  find(deploy: StaticDeploy, request: FastRequest): FastFile | undefined {
    const found = this.headOf(deploy, request);
    const body = found && this.files.peek(found.key);
    return body && { isPage: found.isPage, head: found.head, body };
  }

  async load(deploy: StaticDeploy, request: FastRequest) {
    const found = this.headOf(deploy, request);
    if (!found) return;
    const { file, encoding } = found;
    const size = encoding ? (file.forms[encoding] ?? 0) : file.size;
    await this.files.find(deploy.userId, file.sha256, size, encoding);
  }

  private headOf(deploy: StaticDeploy, { url, headers }: FastRequest): FileHead | undefined {
    if (headers["if-none-match"] !== undefined || url.includes("?")) return undefined;
    const encodings = headers["accept-encoding"] as string | undefined;
    const key = `${url} ${encodings ?? ""}`;
    if (key.length > maxKeyLength) return undefined;
    return this.headsOf.get(deploy)?.get(key) ?? this.prepare(key, deploy, url, encodings);
  }

  private prepare(key: string, deploy: StaticDeploy, url: string, encodings: string | undefined): FileHead | undefined {
    const target = parseUrl(url);
    const resolution = target && deploy.resolve(target.path, target.query);
    if (resolution?.kind !== "file") return undefined;
    const encoding = chooseEncoding(encodings, resolution.file.forms);
    const { file } = resolution;
    const found = {
      isPage: isPage(resolution),
      head: new FastHead(resolution.status, fileHeaders(resolution, encoding), maxJoinedBytes),
      file,
      encoding,
      key: blobKey(deploy.userId, file.sha256, encoding),
    };
    this.store(deploy, key, found);
    return found;
  }

  private store(deploy: StaticDeploy, key: string, head: FileHead) {
    if (this.headCount >= maxHeads) {
      this.headsOf = new WeakMap();
      this.headCount = 0;
    }
    const heads = this.headsOf.get(deploy) ?? new Map<string, FileHead>();
    if (heads.size >= maxHeadsOfOne) {
      this.headCount -= heads.size;
      heads.clear();
    }
    this.headCount++;
    this.headsOf.set(deploy, heads.set(key, head));
  }
}
