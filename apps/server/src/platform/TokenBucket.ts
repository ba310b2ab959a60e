/** A token bucket for each key: a burst first, then a steady rate. It counts for this process only. */
export class TokenBucket {
  private readonly spent = new Map<string, { amount: number; at: number }>();
  private readonly burst: number;
  private readonly perSecond: number;

  constructor(burst: number, perSecond: number) {
    this.burst = burst;
    this.perSecond = perSecond;
  }

  /** Takes one token; false if the bucket is empty. */
  take(key: string): boolean {
    const now = Date.now();
    const last = this.spent.get(key);
    const amount = last ? Math.max(0, last.amount - ((now - last.at) / 1000) * this.perSecond) : 0;
    if (amount + 1 > this.burst) return false;
    if (this.spent.size > 10_000) this.forgetIdle(now);
    this.spent.set(key, { amount: amount + 1, at: now });
    return true;
  }

  private forgetIdle(now: number) {
    const recovery = (this.burst / this.perSecond) * 1000;
    for (const [key, { at }] of this.spent) if (now - at > recovery) this.spent.delete(key);
  }
}
