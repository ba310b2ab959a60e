import { describe, expect, test } from "vitest";
import { eventually, waitUntil } from "./waitUntil.ts";

const brief = { stallMs: 60, intervalMs: 5 };

/** Counts its calls: 50 polls take longer than the stall limit, and each of them sees another value. */
function counter() {
  let count = 0;
  return () => ++count;
}

describe("waitUntil", () => {
  test("returns the first value that is accepted", async () => {
    const values = ["starting", "running", "later"];
    const observe = async () => values.shift();
    expect(await waitUntil("it runs", observe, (value) => value === "running", brief)).toBe("running");
    expect(values).toEqual(["later"]);
  });

  test("goes on for longer than the stall limit while the value changes", async () => {
    expect(await waitUntil("it has counted to 50", counter(), (count) => count === 50, brief)).toBe(50);
  });

  test("gives up on a value that does not change, and names what it waited for and what it saw", async () => {
    const stalled = waitUntil(
      "the site is installed",
      () => ({ stage: "files" }),
      () => false,
      brief,
    );
    await expect(stalled).rejects.toThrow(
      "Waited until the site is installed. Nothing changed for 0.06 s. Last seen: { stage: 'files' }",
    );
  });

  test("an error of the observation ends the wait", async () => {
    const observe = () => {
      throw new Error("the process has exited");
    };
    await expect(waitUntil("it runs", observe, () => false, brief)).rejects.toThrow("the process has exited");
  });
});

describe("eventually", () => {
  test("returns what the assertion returns once it passes", async () => {
    const values = ["a", "b", "c"];
    const found = await eventually(() => {
      const value = values.shift();
      expect(value).toBe("b");
      return value;
    }, brief);
    expect(found).toBe("b");
  });

  test("goes on for longer than the stall limit while the failure changes", async () => {
    const count = counter();
    await eventually(() => expect(count()).toBe(50), brief);
  });

  test("sees a change in a part of the actual value that the message leaves out", async () => {
    const count = counter();
    const filler = "x".repeat(200);
    await eventually(() => expect({ filler, stage: count() }).toEqual({ filler, stage: 50 }), brief);
  });

  test("gives up with the assertion's own error", async () => {
    await expect(eventually(async () => expect("pending").toBe("done"), brief)).rejects.toThrow(
      "expected 'pending' to be 'done'",
    );
  });
});
