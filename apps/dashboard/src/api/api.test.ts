import { afterEach, expect, test, vi } from "vitest";
import { ApiError, api, post } from "./api.ts";

afterEach(() => vi.unstubAllGlobals());

test("a successful call resolves with the response's JSON", async () => {
  const fetch = stubFetch(Response.json({ brand: "Nido" }));
  await expect(api("/api/settings", post({ allow: true }))).resolves.toEqual({ brand: "Nido" });
  expect(fetch).toHaveBeenCalledExactlyOnceWith(
    "/api/settings",
    expect.objectContaining({ method: "POST", body: '{"allow":true}', credentials: "same-origin" }),
  );
});

test.each([
  ["a known error", Response.json({ error: "error_name_taken" }, { status: 409 }), 409, "error_name_taken"],
  ["an unknown error", Response.json({ error: "error_made_up" }, { status: 400 }), 400, "error_unknown"],
  ["an error without a key", Response.json({}, { status: 500 }), 500, "error_unknown"],
  ["a page of a proxy instead of JSON", new Response("<h1>Bad gateway", { status: 502 }), 502, "error_unknown"],
])("%s rejects with an ApiError", async (_what, response, status, key) => {
  stubFetch(response);
  const error = await api("/api/settings").catch((reason) => reason);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status, key });
});

test("a call without a response rejects with the network's error", async () => {
  const refused = new TypeError("fetch failed");
  vi.stubGlobal("fetch", vi.fn().mockRejectedValue(refused));
  await expect(api("/api/settings")).rejects.toBe(refused);
});

test("the caller's signal aborts the request", async () => {
  const fetch = stubFetch(Response.json({}));
  const controller = new AbortController();
  await api("/api/settings", { signal: controller.signal });
  const signal = fetch.mock.calls[0]?.[1].signal;
  expect(signal?.aborted).toBe(false);
  controller.abort();
  expect(signal?.aborted).toBe(true);
});

function stubFetch(response: Response) {
  const fetch = vi.fn(async (_path: string, _init: { signal: AbortSignal }) => response);
  vi.stubGlobal("fetch", fetch);
  return fetch;
}
