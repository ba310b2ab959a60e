import type { SiteReport } from "./siteReport.ts";

/** A file of a static site, as the CLI announces it. */
export interface SiteFile {
  /** relative to the site's root, separated by `/` */
  path: string;
  /** digest of the content, in hexadecimal */
  sha256: string;
  size: number;
}

export const mainBranch = "main";
export const maxPreviewBranches = 20;
export const sitePasswordMinLength = 6;
export const filesPerDeploy = 100_000;
export const messageMaxLength = 200;
const maxPathBytes = 1000;
const maxNameBytes = 255;
const maxSegments = 50;

/** Why a path cannot be published. */
export type PathFault = "empty" | "absolute" | "outside" | "backslash" | "control" | "long" | "hidden" | "reserved";

/** Whoever answers at this path can order a certificate for the host, so it belongs to the platform. */
const reservedFolder = ".well-known/acme-challenge";

/** Whether this path, with or without a slash in front, is reserved for the platform on every site. */
export function isReservedPath(path: string): boolean {
  const plain = path.toLowerCase().replace(/^\/+/, "");
  return plain === reservedFolder || plain.startsWith(`${reservedFolder}/`);
}

/** The reason why a file cannot be published under this path, if any. The CLI and the server apply the same rule. */
export function pathFault(path: string): PathFault | undefined {
  if (path === "") return "empty";
  if (path.includes("\\")) return "backslash";
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "absolute";
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) return "control";
  if (isLonger(path, maxPathBytes)) return "long";
  if (isReservedPath(path)) return "reserved";
  const parts = path.split("/");
  if (parts.length > maxSegments) return "long";
  for (const [index, part] of parts.entries()) {
    if (part === "") return "empty";
    if (part === "." || part === "..") return "outside";
    if (part.startsWith(".") && !(index === 0 && part === ".well-known")) return "hidden";
    if (isLonger(part, maxNameBytes)) return "long";
  }
  return undefined;
}

/** Left out silently: these are never meant to be published. */
const skippedNames = new Set(
  `.git .hg .svn node_modules .DS_Store Thumbs.db desktop.ini __MACOSX .idea .vscode .gitignore .gitattributes .gitkeep
  .keep .editorconfig .nojekyll .cache .nidoignore nido.json`.split(/\s+/),
);
const editorFiles = /~$|\.sw[op]$|^#.*#$/;
const secretFiles = /^\.env($|\.)|\.(pem|key|p12|pfx)$|^id_(rsa|ed25519|ecdsa)$|^\.(npmrc|netrc|htpasswd)$/i;

/** Whether a file or folder of this name is left out of what is published. */
export function isSkippedName(name: string): boolean {
  return skippedNames.has(name) || editorFiles.test(name);
}

/** Whether a file of this name probably contains a secret. */
function isSecretName(name: string): boolean {
  return secretFiles.test(name);
}

/** What the ignore files say. */
export interface IgnoreRules {
  judge(path: string): "ignored" | "wanted" | undefined;
  /** Whether a file that looks like a secret is none, because a rule names it. */
  isNoSecret(path: string): boolean;
}

/** Faults of paths that no folder on a disk has. The rules have no opinion about them. */
const impossible = new Set<PathFault | undefined>(["empty", "absolute", "outside"]);

/**
 * Why a file or folder is not published; undefined if it is. Its parents are judged before it: what is in a folder that
 * is left out is not looked at.
 */
export function judgeEntry(
  path: string,
  isFolder: boolean,
  { judge, isNoSecret }: IgnoreRules,
): "skipped" | "secret" | "hidden" | "name" | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const fault = pathFault(path);
  if (impossible.has(fault)) return "name";
  if (isSkippedName(name) || judge(isFolder ? `${path}/` : path) === "ignored") return "skipped";
  if (isSecretName(name) && !isNoSecret(path)) return "secret";
  return fault && (fault === "hidden" ? "hidden" : "name");
}

const encoder = new TextEncoder();

/** Whether the UTF-8 text is longer. A UTF-16 code unit takes at most 3 bytes, so short texts need no encoding. */
function isLonger(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && encoder.encode(text).length > maxBytes;
}

/** Two paths that cannot both exist: equal to a reader (`é` can be written in two ways), or one inside the other. */
export function findCollision(paths: string[]): [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const folded = fold(path);
    const other = seen.get(folded);
    if (other !== undefined) return [other, path];
    seen.set(folded, path);
  }
  for (const [folded, path] of seen)
    for (let slash = folded.indexOf("/"); slash > 0; slash = folded.indexOf("/", slash + 1)) {
      const folder = seen.get(folded.slice(0, slash));
      if (folder !== undefined) return [folder, path];
    }
  return undefined;
}

function fold(path: string): string {
  return path.normalize("NFC");
}

/** The size of a request that sends files. A larger file is sent alone. */
export const maxBatchBytes = 2 ** 22;
const maxBatchFiles = 400;

/** Splits files into batches, each for one request. */
export function toBatches<File extends Pick<SiteFile, "size">>(files: File[]): File[][] {
  const batches: File[][] = [];
  let [batch, bytes]: [File[], number] = [[], 0];
  for (const file of files) {
    if (batch.length > 0 && (bytes + file.size > maxBatchBytes || batch.length >= maxBatchFiles)) {
      batches.push(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += file.size;
  }
  return batch.length > 0 ? [...batches, batch] : batches;
}

/** The frame header before the bytes of a file in a batch: the digest, then the size as a big-endian 64-bit integer. */
export function frameHead({ sha256, size }: Pick<SiteFile, "sha256" | "size">): Uint8Array {
  const head = new Uint8Array(frameHeadLength);
  for (let index = 0; index < digestLength; index++)
    head[index] = Number.parseInt(sha256.slice(index * 2, index * 2 + 2), 16);
  new DataView(head.buffer).setBigUint64(digestLength, BigInt(size));
  return head;
}

/** The digest in the header of the frame with the deploy's report, which comes first in the request to finish. */
export const reportDigest = "0".repeat(64);

export function reportFrame(report: SiteReport): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(report));
  const frame = new Uint8Array(frameHeadLength + text.length);
  frame.set(frameHead({ sha256: reportDigest, size: text.length }));
  frame.set(text, frameHeadLength);
  return frame;
}

export const filesMediaType = "application/x-nido-files";
export const digestLength = 32;
export const frameHeadLength = digestLength + 8;
