import { AppError } from "./AppError.ts";

interface Queue {
  last: Promise<unknown>;
  length: number;
}

/** Runs one task at a time for each key, in the order of the calls. */
export class KeyedMutex {
  private readonly queues = new Map<string, Queue>();
  private readonly maxLength: number;

  /** `maxLength`: with so many tasks of a key, further ones are refused with `error_too_many_requests`. */
  constructor(maxLength = Number.POSITIVE_INFINITY) {
    this.maxLength = maxLength;
  }

  /** `isRefusable` false: the task waits, however many there are. */
  async run<Result>(key: string, work: () => Promise<Result>, isRefusable = true): Promise<Result> {
    const queue = this.queues.get(key) ?? { last: Promise.resolve(), length: 0 };
    if (isRefusable && queue.length >= this.maxLength) throw new AppError("error_too_many_requests");
    this.queues.set(key, queue);
    queue.length++;
    const done = queue.last.then(work);
    queue.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      queue.length--;
      if (queue.length === 0) this.queues.delete(key);
    }
  }
}
