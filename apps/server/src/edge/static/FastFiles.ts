import { type IncomingHttpHeaders, STATUS_CODES } from "node:http";
import { blobKey, type Encoding } from "../../deploys/blobs/BlobStore.ts";
import { chooseEncoding } from "./chooseEncoding.ts";
import type { FileCache } from "./FileCache.ts";
import { fileHeaders, isPage } from "./fileHeaders.ts";
import { parseUrl } from "./parseUrl.ts";
import type { FileResolution, StaticDeploy } from "./StaticDeploy.ts";

/** The limit for the heads of all deploys together. */
const maxHeads = 20_000;
/** The limit for one deploy, because its visitors can create many heads by varying Accept-Encoding. */
const maxHeadsOfOne = 2000;
const maxKeyLength = 300;

/** The prepared head of a response; the body is in the file cache. */
interface Head {
  isPage: boolean;
  lines: string;
  /** the body's key in the file cache */
  file: string;
  /** the head with its Date header, rendered at `second` */
  bytes: Buffer;
  second: number;
}

/** Complete responses for the fast path: GET requests whose file is in memory. */
export class FastFiles {
  private readonly files: FileCache;
  private headsOf = new WeakMap<StaticDeploy, Map<string, Head>>();
  private headCount = 0;

  constructor(files: FileCache) {
    this.files = files;
  }

  find(deploy: StaticDeploy, url: string, headers: IncomingHttpHeaders) {
    if (headers["if-none-match"] !== undefined || url.includes("?")) return undefined;
    const encodings = headers["accept-encoding"] as string | undefined;
    const key = `${url} ${encodings ?? ""}`;
    if (key.length > maxKeyLength) return undefined;
    const head = this.headsOf.get(deploy)?.get(key) ?? this.prepare(key, deploy, url, encodings);
    const body = head && this.files.peek(head.file);
    return body && { isPage: head.isPage, parts: [dated(head), body] };
  }

  private prepare(key: string, deploy: StaticDeploy, url: string, encodings: string | undefined): Head | undefined {
    const target = parseUrl(url);
    const resolution = target && deploy.resolve(target.path, target.query);
    if (resolution?.kind !== "file") return undefined;
    const encoding = chooseEncoding(encodings, resolution.file.forms);
    const file = blobKey(deploy.userId, resolution.file.sha256, encoding);
    const lines = headLines(resolution, encoding);
    const head = { isPage: isPage(resolution), lines, file, bytes: Buffer.alloc(0), second: 0 };
    this.store(deploy, key, head);
    return head;
  }

  private store(deploy: StaticDeploy, key: string, head: Head) {
    if (this.headCount >= maxHeads) {
      this.headsOf = new WeakMap();
      this.headCount = 0;
    }
    const heads = this.headsOf.get(deploy) ?? new Map<string, Head>();
    if (heads.size >= maxHeadsOfOne) {
      this.headCount -= heads.size;
      heads.clear();
    }
    this.headCount++;
    this.headsOf.set(deploy, heads.set(key, head));
  }
}

/** The head's bytes, rendered once a second because of the date. */
function dated(head: Head): Buffer {
  const second = Math.floor(Date.now() / 1000);
  if (head.second !== second) {
    head.second = second;
    head.bytes = Buffer.from(`${head.lines}date: ${new Date(second * 1000).toUTCString()}\r\n\r\n`, "latin1");
  }
  return head.bytes;
}

function headLines(resolution: FileResolution, encoding: Encoding | undefined): string {
  const lines = Object.entries(fileHeaders(resolution, encoding)).map(([name, value]) => `${name}: ${value}\r\n`);
  const { status } = resolution;
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}connection: keep-alive\r\n`;
}
