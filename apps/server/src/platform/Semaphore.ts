/** Runs a limited number of tasks at a time, in the order of the calls. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(concurrency: number) {
    this.free = concurrency;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
