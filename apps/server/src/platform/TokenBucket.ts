/** How much each key may do: a burst at first, then as much as time gives back. Of this process alone. */
export class Budget {
  private readonly spent = new Map<string, { amount: number; at: number }>();
  private readonly burst: number;
  private readonly perSecond: number;

  constructor(burst: number, perSecond: number) {
    this.burst = burst;
    this.perSecond = perSecond;
  }

  /** Spends one; false where nothing is left. */
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
