const maxAge = 30_000;
const maxEntries = 20_000;

/**
 * Keeps what was read from the database until a NOTIFY says that it changed. Reads through while
 * notifications go unheard, and never trusts an entry for more than half a minute.
 */
export class NotifiedCache<Value> {
  private readonly entries = new Map<string, { value: Value; readAt: number }>();
  private readonly isTrusted: () => boolean;
  /** counts the forgettings: what was read before one must not be kept after it */
  private generation = 0;

  constructor(isTrusted: () => boolean) {
    this.isTrusted = isTrusted;
  }

  peek(key: string): Value | undefined {
    const entry = this.entries.get(key);
    return entry && this.isTrusted() && Date.now() - entry.readAt < maxAge ? entry.value : undefined;
  }

  async get(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.peek(key);
    if (kept !== undefined) return kept;

    const { generation } = this;
    const value = await read();
    if (value !== undefined && this.isTrusted() && generation === this.generation) this.keep(key, value);
    return value;
  }

  forget(key: string) {
    this.generation++;
    this.entries.delete(key);
  }

  forgetWhere(matches: (value: Value) => boolean) {
    this.generation++;
    for (const [key, { value }] of this.entries) if (matches(value)) this.entries.delete(key);
  }

  forgetAll() {
    this.generation++;
    this.entries.clear();
  }

  private keep(key: string, value: Value) {
    this.entries.delete(key);
    this.entries.set(key, { value, readAt: Date.now() });
    // A Map keeps insertion order: the first key is the oldest entry.
    if (this.entries.size > maxEntries) this.entries.delete(this.entries.keys().next().value as string);
  }
}
