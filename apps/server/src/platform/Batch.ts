/** Collects keys for a moment and reads them together: a thousand lookups at once cost one query. */
export class Batch<Value> {
  private waiting: Map<string, ((value: Promise<Value | undefined>) => void)[]> | undefined;
  private readonly read: (keys: string[]) => Promise<Map<string, Value>>;
  private readonly delay: number;

  constructor(read: (keys: string[]) => Promise<Map<string, Value>>, delay: number) {
    this.read = read;
    this.delay = delay;
  }

  find(key: string): Promise<Value | undefined> {
    return new Promise((resolve) => {
      const waiting = this.waiting ?? this.start();
      waiting.set(key, [...(waiting.get(key) ?? []), resolve]);
    });
  }

  private start() {
    const waiting = new Map<string, ((value: Promise<Value | undefined>) => void)[]>();
    this.waiting = waiting;
    setTimeout(() => {
      this.waiting = undefined;
      const values = this.read([...waiting.keys()]);
      for (const [key, resolvers] of waiting) {
        const value = values.then((found) => found.get(key));
        for (const resolve of resolvers) resolve(value);
      }
    }, this.delay);
    return waiting;
  }
}
