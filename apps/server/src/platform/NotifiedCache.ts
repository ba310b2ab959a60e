import { LRUCache } from "lru-cache";

const maxAgeMs = 30_000;
/** lru-cache reads its clock at most once in this time, so an entry may outlive its ttl by as much. */
const ttlResolution = 1000;
const maxEntries = 20_000;
const maxMisses = 10_000;
const missTtlMs = 5000;

/**
 * An LRU cache of database rows, invalidated by NOTIFY. While the listener is disconnected, no entry is used
 * and every read goes to the database. No entry is kept for longer than half a minute.
 */
export class NotifiedCache<Value extends object> {
  private readonly entries = new LRUCache<string, Value>({
    max: maxEntries,
    ttl: maxAgeMs - ttlResolution,
    ttlResolution,
  });
  private readonly isTrusted: () => boolean;
  /** Grows with each invalidation: a value read before one must not be stored after it. */
  private generation = 0;
  /** Keys that were not found. Kept apart, because anybody can invent enough of them to push out the entries. */
  private readonly misses = new LRUCache<string, true>({
    max: maxMisses,
    ttl: missTtlMs - ttlResolution,
    ttlResolution,
  });
  private readonly reading = new Map<string, Promise<Value | undefined>>();

  constructor(isTrusted: () => boolean) {
    this.isTrusted = isTrusted;
  }

  peek(key: string): Value | undefined {
    return this.isTrusted() ? this.entries.get(key) : undefined;
  }

  /** Whether it is certain that there is no such row. */
  isMissing(key: string): boolean {
    return this.isTrusted() && this.misses.has(key);
  }

  async get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const cached = this.peek(key);
    if (cached !== undefined) return cached;
    if (this.isMissing(key)) return undefined;

    // Concurrent callers share one read, but not those that come after an invalidation.
    const id = `${this.generation} ${key}`;
    const reading = this.reading.get(id) ?? this.readOnce(id, key, read);
    this.reading.set(id, reading);
    return reading;
  }

  private async readOnce(id: string, key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const { generation } = this;
    try {
      const value = await read();
      if (!this.isTrusted() || generation !== this.generation) return value;
      if (value === undefined) this.misses.set(key, true);
      else this.entries.set(key, value);
      return value;
    } finally {
      this.reading.delete(id);
    }
  }

  forget(key: string) {
    this.invalidate();
    this.entries.delete(key);
  }

  forgetWhere(matches: (value: Value) => boolean) {
    this.invalidate();
    for (const [key, value] of this.entries.entries()) if (matches(value)) this.entries.delete(key);
  }

  forgetAll() {
    this.invalidate();
    this.entries.clear();
  }

  private invalidate() {
    this.generation++;
    this.misses.clear();
  }
}
