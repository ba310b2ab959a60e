import { lstat } from "node:fs/promises";
import { LRUCache } from "lru-cache";
import { readReport } from "./readReport.ts";
import type { siteFolder } from "./siteFolder.ts";
import type { SiteReport } from "./WordPressRuntime.ts";

const maxKnown = 20_000;
/** Two changes of a file within one tick of the kernel's clock have the same time. */
const settledMs = 1000;

/** Reads the reports of sites. As long as the files of a site do not change, only their times are looked at. */
export class ReportReader {
  private readonly known = new LRUCache<string, { version: string; report: SiteReport }>({ max: maxKnown });

  async read(folder: ReturnType<typeof siteFolder>): Promise<SiteReport> {
    const version = await versionOf([folder.pages, folder.nextCron, folder.memory, folder.mail]);
    const known = this.known.get(folder.root);
    if (known && known.version === version) return known.report;
    const report = await readReport(folder);
    if (version) this.known.set(folder.root, { version, report });
    else this.known.delete(folder.root);
    return report;
  }
}

/** Changes whenever one of the files does. Undefined while that is not certain. A site cannot set the time of a change. */
async function versionOf(files: string[]): Promise<string | undefined> {
  const now = Date.now();
  try {
    const stats = await Promise.all(files.map((file) => lstat(file, { bigint: true }).catch(ignoreMissing)));
    if (stats.some((found) => found && now - Number(found.ctimeMs) < settledMs)) return undefined;
    return stats.map((found) => (found ? `${found.ino}-${found.ctimeNs}` : "none")).join(" ");
  } catch {
    return undefined;
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
