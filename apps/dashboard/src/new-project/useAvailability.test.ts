// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useAvailability } from "./useAvailability.ts";

const fetch = vi.fn<(path: string, init: { signal: AbortSignal }) => Promise<Response>>();
const free = () => Response.json({});
const taken = () => Response.json({ error: "error_name_taken" }, { status: 409 });
const broken = () => Response.json({ error: "error_unknown" }, { status: 500 });

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

test.each(["", "abcd", "mi-tienda", "x".repeat(21)])("%j is no name and is not looked up", async (name) => {
  const { result } = typing(name);
  await pause();
  expect(result.current).toBe("unchecked");
  expect(fetch).not.toHaveBeenCalled();
});

test.each([
  ["a free name", free, "available"],
  ["a taken name", taken, "taken"],
  ["a server error", broken, "failed"],
] as const)("%s", async (_what, response, expected) => {
  fetch.mockImplementation(async () => response());
  const { result } = typing("mitienda");
  expect(result.current).toBe("checking");
  expect(fetch).not.toHaveBeenCalled();
  await pause();
  expect(result.current).toBe(expected);
  expect(fetch).toHaveBeenCalledExactlyOnceWith("/api/domain/mitienda", expect.anything());
});

test("only the name after the last key is looked up", async () => {
  fetch.mockImplementation(async () => free());
  const { rerender } = typing("mitie");
  rerender("mitien");
  rerender("mitienda");
  await pause();
  expect(fetch.mock.calls.map(([path]) => path)).toEqual(["/api/domain/mitienda"]);
});

test("an answer for an older name is ignored", async () => {
  const older = Promise.withResolvers<Response>();
  fetch.mockReturnValueOnce(older.promise).mockImplementation(async () => free());
  const { result, rerender } = typing("tienda");
  await pause();
  rerender("mitienda");
  expect(fetch.mock.calls[0]?.[1].signal.aborted).toBe(true);
  await act(async () => older.resolve(taken()));
  expect(result.current).toBe("checking");
  await pause();
  expect(result.current).toBe("available");
});

test("a failed check is repeated until it succeeds", async () => {
  fetch.mockRejectedValueOnce(new TypeError("fetch failed")).mockImplementation(async () => free());
  const { result } = typing("mitienda");
  await pause();
  expect(result.current).toBe("failed");
  await pause();
  expect(result.current).toBe("available");
  expect(vi.getTimerCount()).toBe(0);
});

test("closing the screen ends the checks", async () => {
  fetch.mockImplementation(async () => broken());
  const { unmount } = typing("mitienda");
  await pause();
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});

function typing(name: string) {
  return renderHook(useAvailability, { initialProps: name });
}

/** The customer stops typing for long enough. */
async function pause() {
  await act(() => vi.advanceTimersToNextTimerAsync());
}
