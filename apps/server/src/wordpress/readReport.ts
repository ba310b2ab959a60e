import { randomUUID } from "node:crypto";
import { lstat, opendir } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { readUntrusted } from "../platform/openUntrusted.ts";
import type { siteFolder } from "./siteFolder.ts";
import type { SiteReport } from "./WordPressRuntime.ts";

const maxNumberBytes = 20;

/** Reads the files by which a site tells the platform something. The site may have put anything in their place. */
export async function readReport(
  folder: Pick<ReturnType<typeof siteFolder>, "pages" | "nextCron" | "memory" | "mail">,
): Promise<SiteReport> {
  const [pages, nextCron, memoryPeak, hasMail] = await Promise.all([
    readVersion(folder.pages),
    readNumber(folder.nextCron),
    readNumber(folder.memory),
    hasEntries(folder.mail),
  ]);
  return { pages, nextCron, hasMail, ...(memoryPeak !== undefined && { memoryPeak }) };
}

/** If a site makes the file unreadable, every read counts as a change. */
async function readVersion(file: string): Promise<string> {
  try {
    const { ino, mtimeNs } = await lstat(file, { bigint: true });
    return `${ino}-${mtimeNs}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "first" : randomUUID();
  }
}

/** Undefined if the file is missing or malformed. */
async function readNumber(file: string): Promise<number | undefined> {
  // A site that is being restored has no folder for a moment.
  const text = await readUntrusted(dirname(file), basename(file), maxNumberBytes).catch(() => undefined);
  return text && /^\d{1,12}$/.test(text.toString()) ? Number(text) : undefined;
}

async function hasEntries(folder: string): Promise<boolean> {
  try {
    for await (const _ of await opendir(folder, { bufferSize: 1 })) return true;
  } catch {
    // A site that is being restored has no folder for a moment.
  }
  return false;
}
