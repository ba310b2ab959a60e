import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { siteFolder } from "../../wordpress/siteFolder.ts";

const aSecond = 1000;

/**
 * What a site's pages are called now: another name after each change that visitors would see. The site says so by
 * writing a file, which is looked at whenever its PHP has run, and otherwise at most once a second.
 */
export class SiteChanges {
  private readonly known = new Map<string, { generation: string; seenAt: number }>();
  private readonly dataDir: string;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  generationOf(siteId: string): string {
    const known = this.known.get(siteId);
    return known && Date.now() - known.seenAt < aSecond ? known.generation : this.look(siteId);
  }

  /** Called when PHP has run, before the visitor hears of it: whoever comes next sees what it did. */
  look(siteId: string): string {
    const file = join(siteFolder(this.dataDir, siteId).state, "pages");
    const generation = nameOf(file);
    this.known.set(siteId, { generation, seenAt: Date.now() });
    return generation;
  }
}

/** A file that cannot be looked at, which is the site's own doing, has changed each time. */
function nameOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
    return stat ? `${stat.ino}-${stat.mtimeNs}` : "first";
  } catch {
    return randomUUID();
  }
}
