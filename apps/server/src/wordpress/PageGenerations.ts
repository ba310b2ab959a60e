import { NotifiedCache } from "../platform/NotifiedCache.ts";

/** A notification carries the id of a site whose pages have changed. */
export const pagesChannel = "nido_pages";

/**
 * The generation of each site's pages. It changes with every change that visitors would see, and cached pages of an
 * older generation are rendered again. A process that may have missed a notification trusts none of its pages.
 */
export class PageGenerations {
  private readonly read: (siteId: string) => Promise<number | undefined>;
  private readonly isListening: () => boolean;
  private readonly cache: NotifiedCache<{ generation: string }>;
  /** how often this process has begun to listen */
  private epoch = 0;

  constructor(read: (siteId: string) => Promise<number | undefined>, isListening: () => boolean) {
    this.read = read;
    this.isListening = isListening;
    this.cache = new NotifiedCache(isListening);
  }

  /** From memory only. */
  peek(siteId: string): string | undefined {
    return this.cache.peek(siteId)?.generation;
  }

  /** Undefined if it is not known: then no cached page of the site is up to date. */
  async find(siteId: string): Promise<string | undefined> {
    if (!this.isListening()) return undefined;
    const { epoch } = this;
    const found = await this.cache
      .get(siteId, async () => {
        const generation = await this.read(siteId);
        return generation === undefined ? undefined : { generation: `${epoch}-${generation}` };
      })
      .catch(() => undefined);
    return found?.generation;
  }

  forget(siteId: string) {
    this.cache.forget(siteId);
  }

  forgetAll() {
    this.epoch++;
    this.cache.forgetAll();
  }
}
