import { Readable } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { BodyRefused, maxBodyBytes, UploadBudget } from "./UploadBudget.ts";

const megabyte = 2 ** 20;

/** Sends a body of this size. Returns the status, and the function that gives its bytes back. */
async function send(budget: UploadBudget, owner: string, address: string, bytes: number) {
  const { counter, release } = budget.open({ owner, address });
  const chunks = Array.from({ length: Math.ceil(bytes / megabyte) }, () => Buffer.alloc(megabyte));
  try {
    for await (const _ of Readable.from(chunks).compose(counter));
    return { release, status: 200 };
  } catch (error) {
    release();
    return { release, status: error instanceof BodyRefused ? error.status : 0 };
  }
}

test("one customer or address cannot take the room of others, and small bodies always pass", async () => {
  const budget = new UploadBudget(400 * megabyte);
  expect((await send(budget, "evil", "192.0.2.1", maxBodyBytes + megabyte)).status).toBe(413);
  const held = [];
  for (let n = 0; n < 4; n++) held.push(await send(budget, "evil", `192.0.2.${n}`, 60 * megabyte));
  expect(held.map(({ status }) => status)).toEqual([200, 200, 429, 429]);
  expect((await send(budget, "neighbour", "198.51.100.1", 60 * megabyte)).status).toBe(200);
  // The same address at several customers' sites.
  for (let n = 0; n < 2; n++) await send(budget, `site ${n}`, "203.0.113.1", 60 * megabyte);
  expect((await send(budget, "another", "203.0.113.1", 60 * megabyte)).status).toBe(429);
  // All room is taken by several customers together: small forms still pass.
  await send(budget, "one", "203.0.113.7", 60 * megabyte);
  await send(budget, "two", "203.0.113.8", 60 * megabyte);
  expect((await send(budget, "neighbour", "203.0.113.9", 60 * megabyte)).status).toBe(503);
  expect((await send(budget, "evil", "192.0.2.1", megabyte)).status).toBe(200);
  for (const { release } of held) release();
  expect((await send(budget, "evil", "192.0.2.1", 60 * megabyte)).status).toBe(200);
});

test("small forms pass while large uploads have taken all room", async () => {
  const budget = new UploadBudget(120 * megabyte);
  for (const n of [1, 2]) expect((await send(budget, `owner ${n}`, `192.0.2.${n}`, 61 * megabyte)).status).toBe(200);
  expect((await send(budget, "neighbour", "198.51.100.1", 2 * megabyte)).status).toBe(503);
  expect((await send(budget, "neighbour", "198.51.100.1", megabyte)).status).toBe(200);
});

test("a body that stops arriving is refused, and its room is free again", async () => {
  vi.useFakeTimers();
  try {
    const budget = new UploadBudget(200 * megabyte);
    const { counter, release } = budget.open({ owner: "a", address: "b" });
    counter.resume();
    const failed = new Promise((resolve) => counter.once("error", resolve));
    counter.write(Buffer.alloc(60 * megabyte));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(counter.destroyed).toBe(false);
    counter.write(Buffer.alloc(1000));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await failed).toMatchObject({ status: 408 });
    release();
  } finally {
    vi.useRealTimers();
  }
});

test("an address and a customer have a number of bodies at once, even if they send nothing", () => {
  const budget = new UploadBudget(400 * megabyte);
  const bodies: ReturnType<UploadBudget["open"]>[] = [];
  const open = (owner: string, address: string, count = 1) => {
    for (let n = 0; n < count; n++) bodies.push(budget.open({ owner, address }));
  };
  const close = () => {
    for (const { counter, release } of bodies.splice(0)) {
      counter.destroy();
      release();
    }
  };
  onTestFinished(close);
  open("ana", "192.0.2.1", 64);
  expect(() => open("bea", "192.0.2.1")).toThrow(BodyRefused);
  for (const address of ["192.0.2.2", "192.0.2.3", "192.0.2.4"]) open("ana", address, 64);
  expect(() => open("ana", "192.0.2.5")).toThrow(BodyRefused);
  open("bea", "192.0.2.5");
  close();
  open("ana", "192.0.2.1");
});
