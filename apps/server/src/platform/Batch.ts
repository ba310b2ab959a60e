/** Collects keys for a moment and reads them together: a thousand lookups at once cost one query. */
export class Batch<Value> {
  private waiting: Map<string, PromiseWithResolvers<Value | undefined>> | undefined;
  private readonly read: (keys: string[]) => Promise<Map<string, Value>>;
  private readonly delay: number;

  constructor(read: (keys: string[]) => Promise<Map<string, Value>>, delay: number) {
    this.read = read;
    this.delay = delay;
  }

  find(key: string): Promise<Value | undefined> {
    const waiting = this.waiting ?? this.start();
    const known = waiting.get(key);
    if (known) return known.promise;
    const added = Promise.withResolvers<Value | undefined>();
    waiting.set(key, added);
    return added.promise;
  }

  private start() {
    const waiting = new Map<string, PromiseWithResolvers<Value | undefined>>();
    this.waiting = waiting;
    setTimeout(() => {
      this.waiting = undefined;
      // One promise for each key: strangers' handshakes look up any number of names.
      this.read([...waiting.keys()]).then(
        (found) => {
          for (const [key, { resolve }] of waiting) resolve(found.get(key));
        },
        (error) => {
          for (const { reject } of waiting.values()) reject(error);
        },
      );
    }, this.delay);
    return waiting;
  }
}
