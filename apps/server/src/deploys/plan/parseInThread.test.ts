import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import { parseInThread } from "./parseInThread.ts";

vi.mock("node:worker_threads", async (original) => {
  const threads = await original<typeof import("node:worker_threads")>();
  return {
    ...threads,
    Worker: vi.fn(function start(file: URL) {
      return new threads.Worker(file);
    }),
  };
});

test("a thread stays for the next plan, unless a large one has filled its memory", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const plan = async (count: number) => {
    const files = Array.from({ length: count }, (_, index) => ({
      path: `${index}.html`,
      sha256: index.toString(16).padStart(64, "0"),
      size: 1,
    }));
    const body = Buffer.from(JSON.stringify({ key: "12345678", files }));
    expect((await parseInThread(body)).fileCount).toBe(count);
    vi.advanceTimersByTime(60_000);
    return vi.mocked(Worker).mock.calls.length;
  };
  expect(await plan(10)).toBe(0);
  expect([await plan(1000), await plan(1000)]).toEqual([1, 1]);
  expect([await plan(20_000), await plan(1000), await plan(1000)]).toEqual([1, 2, 2]);
});
