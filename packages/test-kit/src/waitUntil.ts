import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

interface Options {
  /** how long the observed value may stay the same before the wait gives up */
  stallMs?: number;
  intervalMs?: number;
}

const defaultStallMs = 120_000;
const defaultIntervalMs = 20;

/**
 * Polls `observe` until `isDone` accepts the value, and returns that value. There is no limit on the total time:
 * a slow machine makes slow progress. The wait gives up when the value has not changed for `stallMs`, so observe
 * whatever shows progress, not only the final condition. An error in `observe` or `isDone` ends the wait at once.
 */
export async function waitUntil<Value>(
  description: string,
  observe: () => Value | Promise<Value>,
  isDone: (value: Value) => boolean,
  { stallMs = defaultStallMs, intervalMs = defaultIntervalMs }: Options = {},
): Promise<Value> {
  const isStalled = watchForStall(stallMs);
  for (;;) {
    const value = await observe();
    if (isDone(value)) return value;
    const seen = typeof value === "string" ? value : inspect(value, { depth: 6 });
    if (isStalled(seen)) {
      throw new Error(`Waited until ${description}. Nothing changed for ${stallMs / 1000} s. Last seen: ${seen}`);
    }
    await pause(intervalMs);
  }
}

/**
 * Repeats an assertion until it passes, and returns its result. It gives up, with the assertion's own error, when
 * that error has been the same for `stallMs`.
 */
export async function eventually<Result>(
  assertion: () => Result | Promise<Result>,
  { stallMs = defaultStallMs, intervalMs = defaultIntervalMs }: Options = {},
): Promise<Result> {
  const isStalled = watchForStall(stallMs);
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (isStalled(describeFailure(error))) throw error;
    }
    await pause(intervalMs);
  }
}

/** Takes each observation, and says whether they have all been the same for `stallMs`. */
function watchForStall(stallMs: number): (seen: string) => boolean {
  let lastSeen: string | undefined;
  let changedAt = 0;
  return (seen) => {
    if (seen !== lastSeen) changedAt = performance.now();
    lastSeen = seen;
    return performance.now() - changedAt > stallMs;
  };
}

/** The message and the actual value, because messages shorten long values. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return inspect(error);
  return error.message + ("actual" in error ? inspect(error.actual, { depth: 6 }) : "");
}
