import type { LRUCache } from "lru-cache";

interface Options<Value> {
  /** what one owner may have of the cache's `maxSize` */
  share: number;
  sizeOf: (value: Value, key: string) => number;
  ownerOf: (value: Value, key: string) => string;
}

/**
 * Keeps one owner from filling an LRU cache that many share: an owner over its share loses its own oldest entries, not
 * those of others. Pass `sizeCalculation` and `dispose` to the cache, then `attach` it. Reads cost nothing extra.
 */
export class OwnerShares<Value extends object> {
  private readonly options: Options<Value>;
  /** the entries of each owner with their sizes, oldest first */
  private readonly owners = new Map<string, { size: number; entries: Map<string, number> }>();
  private readonly ownerOfKey = new Map<string, string>();
  private cache: Pick<LRUCache<string, Value>, "delete"> | undefined;

  constructor(options: Options<Value>) {
    this.options = options;
  }

  attach(cache: Pick<LRUCache<string, Value>, "delete">) {
    this.cache = cache;
  }

  readonly sizeCalculation = (value: Value, key: string): number => {
    const size = this.options.sizeOf(value, key);
    this.remove(key);
    const name = this.options.ownerOf(value, key);
    const owner = this.owners.get(name) ?? { size: 0, entries: new Map<string, number>() };
    this.owners.set(name, owner);
    this.ownerOfKey.set(key, name);
    owner.entries.set(key, size);
    owner.size += size;
    // In a microtask, because the cache is in the middle of adding the entry.
    if (owner.size > this.options.share) queueMicrotask(() => this.trim(name));
    return size;
  };

  readonly dispose = (_value: Value, key: string, reason: string) => {
    // When an entry is overwritten, the new one is counted before the old one is disposed of.
    if (reason !== "set") this.remove(key);
  };

  private trim(name: string) {
    const owner = this.owners.get(name);
    for (const key of owner?.entries.keys() ?? []) {
      if (!owner || owner.size <= this.options.share || owner.entries.size === 1) return;
      this.cache?.delete(key);
      this.remove(key);
    }
  }

  private remove(key: string) {
    const name = this.ownerOfKey.get(key);
    const owner = name === undefined ? undefined : this.owners.get(name);
    if (name === undefined || !owner) return;
    owner.size -= owner.entries.get(key) ?? 0;
    owner.entries.delete(key);
    this.ownerOfKey.delete(key);
    if (owner.entries.size === 0) this.owners.delete(name);
  }
}
