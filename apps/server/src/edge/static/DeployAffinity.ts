import { LRUCache } from "lru-cache";
import type { DeployVersion, ShownBranch } from "../../domains/findSite.ts";
import { OwnerShares } from "../../platform/OwnerShares.ts";

interface PageOf {
  version: DeployVersion;
  at: number;
}

/** How long a page takes to load everything it refers to. */
const pageLoadTime = 30_000;
const maxVisitors = 50_000;
/** The limit for one site, whose visitors could otherwise push out those of all other sites. */
const maxVisitorsOfOne = 5000;

/**
 * Remembers which deploy a visitor's page came from. For half a minute after a new deploy, the files that
 * this page refers to come from the same deploy as the page, so that a visitor does not get a mix of two
 * deploys.
 */
export class DeployAffinity {
  private readonly shares = new OwnerShares<PageOf>({
    share: maxVisitorsOfOne,
    sizeOf: () => 1,
    ownerOf: (_page, visitor) => visitor.slice(0, visitor.indexOf(" ")),
  });
  private readonly pages = new LRUCache<string, PageOf>({
    maxSize: maxVisitors,
    sizeCalculation: this.shares.sizeCalculation,
    dispose: this.shares.dispose,
  });

  constructor() {
    this.shares.attach(this.pages);
  }

  /** The visitor was sent a page of this version. */
  record(visitor: string, version: DeployVersion) {
    const page = this.pages.get(visitor);
    if (page?.version.deployId === version.deployId && Date.now() - page.at < 1000) return;
    this.pages.set(visitor, { version, at: Date.now() });
  }

  /** Whether the branch showed another deploy a moment ago. */
  wasReplaced({ previousId, changedAt }: ShownBranch): boolean {
    return previousId !== null && Date.now() - changedAt <= pageLoadTime;
  }

  /** The previous deploy of a branch, if it was replaced just now and the visitor's page came from it. */
  findPrevious(branch: ShownBranch, visitor: string): DeployVersion | undefined {
    if (!this.wasReplaced(branch)) return undefined;
    const { deployId, previousId } = branch;
    const page = this.pages.get(visitor);
    if (!page || Date.now() - page.at > pageLoadTime) return undefined;
    return page.version.deployId === previousId && previousId !== deployId ? page.version : undefined;
  }
}
