import { LRUCache } from "lru-cache";

const maxAgeMs = 30_000;
/** lru-cache reads its clock at most once in this time, so an entry may outlive its ttl by as much. */
const ttlResolution = 1000;
const maxEntries = 20_000;

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

  constructor(isTrusted: () => boolean) {
    this.isTrusted = isTrusted;
  }

  peek(key: string): Value | undefined {
    return this.isTrusted() ? this.entries.get(key) : undefined;
  }

  async get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const cached = this.peek(key);
    if (cached !== undefined) return cached;

    const { generation } = this;
    const value = await read();
    if (value !== undefined && this.isTrusted() && generation === this.generation) this.entries.set(key, value);
    return value;
  }

  forget(key: string) {
    this.generation++;
    this.entries.delete(key);
  }

  forgetWhere(matches: (value: Value) => boolean) {
    this.generation++;
    for (const [key, value] of this.entries.entries()) if (matches(value)) this.entries.delete(key);
  }

  forgetAll() {
    this.generation++;
    this.entries.clear();
  }
}
