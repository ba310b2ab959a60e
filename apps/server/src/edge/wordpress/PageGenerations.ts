import { randomUUID } from "node:crypto";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { siteFolder } from "../../wordpress/siteFolder.ts";

const maxAge = 1000;

/**
 * The generation of a site's pages. It changes with every change that visitors would see, and cached pages of
 * an older generation are rendered again. `invalidate-pages.php`, which runs in the site, rewrites a file to
 * start a new generation. The file is checked after each PHP request, and otherwise at most once a second.
 */
export class PageGenerations {
  private readonly known = new Map<string, { generation: string; readAt: number }>();
  private readonly dataDir: string;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  current(siteId: string): string {
    const known = this.known.get(siteId);
    return known && Date.now() - known.readAt < maxAge ? known.generation : this.refresh(siteId);
  }

  /** Called after PHP has run and before its visitor gets the response, so that later visitors see the change. */
  refresh(siteId: string): string {
    const generation = readGeneration(join(siteFolder(this.dataDir, siteId).state, "pages"));
    this.known.set(siteId, { generation, readAt: Date.now() });
    return generation;
  }
}

/** If a site makes the file unreadable, every read counts as a change. */
function readGeneration(file: string): string {
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false, bigint: true });
    return stat ? `${stat.ino}-${stat.mtimeNs}` : "first";
  } catch {
    return randomUUID();
  }
}
