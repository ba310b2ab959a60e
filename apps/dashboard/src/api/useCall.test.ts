// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useCall } from "./useCall.ts";

afterEach(cleanup);

test("a call is loading until it is answered", async () => {
  const { call, requests } = recordedCall();
  const { result } = renderHook(() => useCall(call));
  expect(result.current).toMatchObject({ status: "loading" });
  await act(async () => requests[0]?.resolve("an answer"));
  expect(result.current).toMatchObject({ status: "done", answer: "an answer" });
  expect(requests).toHaveLength(1);
});

test("a failed call can be retried", async () => {
  const { call, requests } = recordedCall();
  const { result } = renderHook(() => useCall(call));
  await act(async () => requests[0]?.reject(new Error("no connection")));
  expect(result.current).toMatchObject({ status: "failed" });

  act(() => result.current.retry());
  expect(result.current).toMatchObject({ status: "loading" });
  await act(async () => requests[1]?.resolve("an answer"));
  expect(result.current).toMatchObject({ status: "done", answer: "an answer" });
});

test.each(["resolve", "reject"] as const)("the older call is aborted and its %s ignored", async (outcome) => {
  const older = recordedCall();
  const newer = recordedCall();
  const { result, rerender } = renderHook(({ call }) => useCall(call), { initialProps: { call: older.call } });
  rerender({ call: newer.call });
  expect(older.requests[0]?.signal.aborted).toBe(true);

  await act(async () => newer.requests[0]?.resolve("newer"));
  await act(async () => older.requests[0]?.[outcome]("older"));
  expect(result.current).toMatchObject({ status: "done", answer: "newer" });
});

test("an answer to the older call is not shown while the newer one is loading", async () => {
  const older = recordedCall();
  const newer = recordedCall();
  const { result, rerender } = renderHook(({ call }) => useCall(call), { initialProps: { call: older.call } });
  await act(async () => older.requests[0]?.resolve("older"));
  rerender({ call: newer.call });
  expect(result.current).toMatchObject({ status: "loading" });
});

test("closing the screen aborts the call", () => {
  const { call, requests } = recordedCall();
  const { unmount } = renderHook(() => useCall(call));
  expect(requests[0]?.signal.aborted).toBe(false);
  unmount();
  expect(requests[0]?.signal.aborted).toBe(true);
});

/** A call whose requests wait until the test settles them. */
function recordedCall() {
  const requests: (PromiseWithResolvers<string> & { signal: AbortSignal })[] = [];
  const call = (signal: AbortSignal) => {
    const request = { ...Promise.withResolvers<string>(), signal };
    requests.push(request);
    return request.promise;
  };
  return { call, requests };
}
