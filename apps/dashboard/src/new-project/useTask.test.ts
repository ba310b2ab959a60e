// @vitest-environment happy-dom
import type { Task } from "@nido/contract";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useTask } from "./useTask.ts";

const fetch = vi.fn<(path: string, init: { signal: AbortSignal }) => Promise<Response>>();
const pending: Task = { state: "pending", progress: [] };
const running: Task = { state: "running", progress: [{ progress: 0.4, message: "installing_wordpress" }] };
const completed: Task = { state: "completed", progress: [{ progress: 1, message: "done" }] };
const failed: Task = { state: "failed", progress: [], error: "error_unknown" };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetch);
});
afterEach(() => {
  cleanup();
  fetch.mockReset();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a task is polled until it completes", async () => {
  answerWith(pending, running, completed);
  const { result } = await follow();
  expect(result.current).toMatchObject({ task: pending, isLost: false });
  await nextPoll();
  expect(result.current.task).toEqual(running);
  await nextPoll();
  expect(result.current.task).toEqual(completed);
  expect(vi.getTimerCount()).toBe(0);
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(Array(3).fill("/api/tasks/7"));
});

test("a failed task is not polled again", async () => {
  answerWith(failed);
  const { result } = await follow();
  expect(result.current).toMatchObject({ task: failed, isLost: false });
  expect(vi.getTimerCount()).toBe(0);
});

test("a lost connection is told, and the polling goes on until the server answers", async () => {
  answerWith(running);
  fetch.mockRejectedValueOnce(new TypeError("fetch failed"));
  fetch.mockResolvedValueOnce(new Response("<h1>Bad gateway", { status: 502 }));
  const { result } = await follow();
  await nextPoll();
  expect(result.current).toMatchObject({ task: running, isLost: true });
  await nextPoll();
  expect(result.current).toMatchObject({ task: running, isLost: true });

  answerWith(completed);
  await nextPoll();
  expect(result.current).toMatchObject({ task: completed, isLost: false });
  expect(vi.getTimerCount()).toBe(0);
});

test("a task that the customer does not have is not polled again", async () => {
  fetch.mockResolvedValueOnce(Response.json({ error: "error_not_found" }, { status: 404 }));
  const { result } = await follow();
  expect(result.current).toMatchObject({ task: undefined, isLost: false, isUnknown: true });
  expect(vi.getTimerCount()).toBe(0);
});

test("closing the screen ends the polling", async () => {
  answerWith(running);
  const { unmount } = await follow();
  expect(vi.getTimerCount()).toBe(1);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
  expect(fetch.mock.calls[0]?.[1].signal.aborted).toBe(true);
});

function answerWith(...tasks: Task[]) {
  for (const task of tasks) fetch.mockResolvedValueOnce(Response.json(task));
}

function follow() {
  return act(async () => renderHook(() => useTask("7")));
}

async function nextPoll() {
  await act(() => vi.advanceTimersToNextTimerAsync());
}
