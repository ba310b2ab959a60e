/** A file of a static site, as the tool announces it. */
export interface SiteFile {
  /** below the site's root, with `/` between its parts */
  path: string;
  /** of its bytes, in hexadecimal */
  sha256: string;
  size: number;
}

export const mainBranch = "main";
export const filesPerDeploy = 100_000;
export const messageMaxLength = 200;
const pathMaxBytes = 1000;
const nameMaxBytes = 255;
const partsMost = 50;

/** What is wrong with a path, each for a reason of its own. */
export type PathFault = "empty" | "absolute" | "outside" | "backslash" | "control" | "long" | "hidden";

/** Whether a file may be published under this path. The same rule for the tool and the server. */
export function pathFault(path: string): PathFault | undefined {
  if (path === "") return "empty";
  if (path.includes("\\")) return "backslash";
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "absolute";
  if (/\p{Cc}/u.test(path) || !path.isWellFormed()) return "control";
  if (isLonger(path, pathMaxBytes)) return "long";
  const parts = path.split("/");
  if (parts.length > partsMost) return "long";
  for (const [index, part] of parts.entries()) {
    if (part === "") return "empty";
    if (part === "." || part === "..") return "outside";
    if (part.startsWith(".") && !(index === 0 && part === ".well-known")) return "hidden";
    if (isLonger(part, nameMaxBytes)) return "long";
  }
  return undefined;
}

const encoder = new TextEncoder();

/** In bytes; three are the most that a unit of text takes. */
function isLonger(text: string, most: number): boolean {
  return text.length * 3 > most && encoder.encode(text).length > most;
}

/** Two paths of which only one could exist on some disk: equal but for case, or one inside the other. */
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
  return path.normalize("NFC").toLowerCase();
}

/** What precedes a file's bytes on their way: its digest, and its size with the highest byte first. */
export function frameHead({ sha256, size }: Pick<SiteFile, "sha256" | "size">): Uint8Array {
  const head = new Uint8Array(frameHeadLength);
  for (let index = 0; index < digestLength; index++)
    head[index] = Number.parseInt(sha256.slice(index * 2, index * 2 + 2), 16);
  new DataView(head.buffer).setBigUint64(digestLength, BigInt(size));
  return head;
}

export const filesMediaType = "application/x-nido-files";
export const digestLength = 32;
export const frameHeadLength = digestLength + 8;
