import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import { pipeline } from "node:stream/promises";
import { blobKey, type Encoding } from "../../deploys/blobs/BlobStore.ts";
import type { Releases } from "../../deploys/Deploys.ts";
import type { SiteEntry } from "../../domains/SiteDirectory.ts";
import { chooseEncoding } from "./chooseEncoding.ts";
import { Pins } from "./DeployAffinity.ts";
import { ReleaseStore } from "./DeployCache.ts";
import { HotFiles } from "./FileCache.ts";
import type { Release, Resolution } from "./StaticDeploy.ts";

type Shown = Resolution & { kind: "file" };
type Version = SiteEntry["branches"][string];

/** No file has a longer one. */
const longestPath = 1100;

/** For this long after a publication somebody may have a page of the one before. */
const overlap = 30_000;

/** Answers for static sites: what a branch shows, from memory where it is asked for often. */
export function createStaticServer(releases: Releases) {
  const store = new ReleaseStore(releases);
  const files = new HotFiles(releases.store);
  const pins = new Pins();
  const answers = new Map<string, Answer>();

  return { serve, findHotFile };

  async function serve(site: SiteEntry, version: Version, request: IncomingMessage, response: ServerResponse) {
    if (request.method !== "GET" && request.method !== "HEAD") return end(response, 405, { allow: "GET, HEAD" });
    const { url = "/", headers } = request;
    const question = split(url);
    if (!question) return end(response, 404);
    const visitor = visitorOf(site.id, headers, request.socket.remoteAddress);
    const release = await store.find(version.current, site.userId);
    const resolution = release.resolve(question.path, question.query);
    if (resolution.kind === "file" && isPage(resolution)) pins.note(visitor, version.current);
    else {
      const before = pinned(version, visitor);
      const old = before === undefined ? undefined : await store.find(before, site.userId);
      const shown = old?.resolve(question.path, question.query);
      if (old && shown?.kind === "file" && !isPage(shown)) return send(old, shown, request, response);
    }
    if (resolution.kind === "none") return end(response, 404);
    if (resolution.kind === "redirect") {
      const { status, to } = resolution;
      return end(response, status, { location: to, "cache-control": "public, max-age=0, must-revalidate" });
    }
    return send(release, resolution, request, response);
  }

  /** The release before the current one, where this visitor's page came from it. */
  function pinned({ current, previous, changedAt }: Version, visitor: string): string | undefined {
    if (!previous || Date.now() - changedAt > overlap) return undefined;
    const pin = pins.find(visitor);
    return pin !== undefined && pin !== current && pin.split(" ")[0] === previous.split(" ")[0] ? pin : undefined;
  }

  async function send(release: Release, shown: Shown, request: IncomingMessage, response: ServerResponse) {
    const { file, status } = shown;
    const { headers } = request;
    const range = status === 200 ? rangeOf(headers, etagOf(file.sha256), file.size) : undefined;
    const encoding = range ? undefined : chooseEncoding(headers["accept-encoding"] as string | undefined, file.forms);
    const fields = fieldsOf(shown, encoding);
    if (status === 200 && isKnown(headers["if-none-match"], fields["etag"] ?? "")) {
      const { "content-length": _, "content-type": __, ...rest } = fields;
      return end(response, 304, rest);
    }
    if (range === "unsatisfiable") return end(response, 416, { "content-range": `bytes */${file.size}` });
    if (range) {
      fields["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
      fields["content-length"] = String(range.end - range.start + 1);
    }
    const begin = () => response.writeHead(range ? 206 : status, fields);
    if (request.method === "HEAD") return void begin().end();
    const { userId } = release;
    const size = encoding ? (file.forms[encoding] ?? 0) : file.size;
    const bytes = await files.find(userId, file.sha256, size, encoding);
    if (bytes) return void begin().end(range ? bytes.subarray(range.start, range.end + 1) : bytes);
    const stream = await releases.store.read(blobKey(userId, file.sha256, encoding), range);
    await pipeline(stream, begin()).catch(() => undefined);
  }

  /** The answer's bytes, head and body, where all of it is in memory and the question is a plain one. */
  function findHotFile(
    site: SiteEntry,
    version: Version,
    url: string,
    headers: IncomingHttpHeaders,
    address: string | undefined,
  ): [Buffer, Buffer] | undefined {
    const release = store.peek(version.current);
    if (!release || headers["if-none-match"] !== undefined) return undefined;
    const encodings = headers["accept-encoding"] as string | undefined;
    const key = `${version.current} ${url} ${encodings ?? ""}`;
    if (key.length > longestKey || url.includes("?")) return undefined;
    let answer = answers.get(key);
    if (!answer) {
      const question = split(url);
      const shown = question && release.resolve(question.path, question.query);
      if (shown?.kind !== "file") return undefined;
      const encoding = chooseEncoding(encodings, shown.file.forms);
      const file = blobKey(release.userId, shown.file.sha256, encoding);
      answer = { isPage: isPage(shown), lines: headLines(shown, encoding), file, head: Buffer.alloc(0), second: 0 };
      if (answers.size > mostAnswers) answers.clear();
      answers.set(key, answer);
    }
    const body = files.peek(answer.file);
    if (!body) return undefined;
    const visitor = visitorOf(site.id, headers, address);
    if (answer.isPage) pins.note(visitor, version.current);
    else if (pinned(version, visitor)) return undefined;
    const second = Math.floor(Date.now() / 1000);
    if (answer.second !== second) {
      answer.second = second;
      answer.head = Buffer.from(`${answer.lines}date: ${new Date(second * 1000).toUTCString()}\r\n\r\n`, "latin1");
    }
    return [answer.head, body];
  }
}

const mostAnswers = 20_000;
const longestKey = 300;
/** What is known of an answer to a plain question; its bytes are among the hot files. */
interface Answer {
  isPage: boolean;
  lines: string;
  file: string;
  /** with the date of this second */
  head: Buffer;
  second: number;
}

function headLines(shown: Shown, encoding: Encoding | undefined): string {
  const lines = Object.entries(fieldsOf(shown, encoding)).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${shown.status} ${STATUS_CODES[shown.status]}\r\n${lines.join("")}connection: keep-alive\r\n`;
}

function fieldsOf({ file, headers }: Shown, encoding: Encoding | undefined): Record<string, string> {
  const { sha256, size, type, forms } = file;
  const isVaried = forms.br !== null || forms.gzip !== null;
  return {
    "content-type": type,
    "x-content-type-options": "nosniff",
    ...headers,
    etag: etagOf(sha256, encoding),
    "accept-ranges": "bytes",
    ...(isVaried && { vary: "accept-encoding" }),
    ...(encoding && { "content-encoding": encoding }),
    "content-length": String(encoding ? forms[encoding] : size),
  };
}

/** Strong: another form of the same file is other bytes. */
function etagOf(sha256: string, encoding?: Encoding): string {
  return `"${sha256.slice(0, 32)}${encoding ? `-${encoding}` : ""}"`;
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}

/** One range of the file as it is; several, or what cannot be read, is a question for all of it. */
function rangeOf({ range, "if-range": ifRange }: IncomingHttpHeaders, etag: string, size: number) {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if ((from === "" && to === "") || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const start = from === "" ? Math.max(size - Number(to), 0) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return undefined;
  return start > end || start >= size ? ("unsatisfiable" as const) : { start, end };
}

function isPage({ file }: Shown): boolean {
  return file.type.startsWith("text/html");
}

/** Who asks, well enough to know them again within a minute. */
function visitorOf(siteId: string, headers: IncomingHttpHeaders, address = ""): string {
  const { "x-forwarded-for": through = "", "user-agent": browser = "" } = headers;
  return `${siteId} ${address} ${String(through).slice(0, 60)} ${browser.slice(0, 160)}`;
}

function split(url: string): { path: string; query: string } | undefined {
  const mark = url.indexOf("?");
  try {
    const path = decodeURIComponent(mark < 0 ? url : url.slice(0, mark));
    return path.startsWith("/") && path.length <= longestPath && !path.includes("//")
      ? { path, query: mark < 0 ? "" : url.slice(mark + 1) }
      : undefined;
  } catch {
    return undefined;
  }
}

function end(response: ServerResponse, status: number, headers: Record<string, string> = {}) {
  const isEmpty = status === 304 || (status >= 300 && status < 400);
  if (isEmpty) return void response.writeHead(status, headers).end();
  const text = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  response.writeHead(status, { ...text, ...headers }).end(`${status} ${STATUS_CODES[status]}\n`);
}
