/** Runs one task at a time for each key, in the order of the calls. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<void>>();

  run(key: string, work: () => Promise<void>): Promise<void> {
    const done = (this.last.get(key) ?? Promise.resolve()).then(work);
    const settled = done.catch(() => undefined);
    this.last.set(key, settled);
    void settled.then(() => this.last.get(key) === settled && this.last.delete(key));
    return done;
  }
}
