import { setTimeout as pause } from "node:timers/promises";

const timeoutSeconds = 120;

/** Polls `check` until it is true. */
export async function waitUntil(check: () => boolean | Promise<boolean>, expected: string) {
  const deadline = performance.now() + timeoutSeconds * 1000;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`Timed out after ${timeoutSeconds} s. Expected: ${expected}`);
    await pause(100);
  }
}
