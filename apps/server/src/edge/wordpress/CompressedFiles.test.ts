import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { CompressedFiles } from "./CompressedFiles.ts";

const text = Buffer.alloc(5000, "text ");

test("a file is compressed once for concurrent callers, at most two at a time, and one owner cannot make others wait", async () => {
  const files = new CompressedFiles(2 ** 20);
  let [reads, running, most] = [0, 0, 0];
  const read = async () => {
    reads++;
    most = Math.max(most, ++running);
    await pause(5);
    running--;
    return text;
  };
  const same = await Promise.all([1, 2, 3].map(() => files.find("same", "br", "ana", read)));
  expect([reads, new Set(same).size]).toEqual([1, 1]);
  const many = Array.from({ length: 100 }, (_, index) => files.find(`file ${index}`, "gzip", "ana", read));
  const other = files.find("other", "gzip", "bea", read);
  const answered = (await Promise.all(many)).filter(Boolean);
  expect(answered).toHaveLength(32);
  expect(await other).toBeInstanceOf(Buffer);
  expect(most).toBe(2);
});

test("an owner over its share loses its own files, and a failed read is repeated", async () => {
  const files = new CompressedFiles(20_000);
  await files.find("bea", "gzip", "bea", async () => text);
  for (let index = 0; index < 50; index++) await files.find(`file ${index}`, "gzip", "ana", async () => text);
  let reads = 0;
  const count = async () => {
    reads++;
    return text;
  };
  await files.find("bea", "gzip", "bea", count);
  expect(reads).toBe(0);
  await files.find("file 0", "gzip", "ana", count);
  expect(reads).toBe(1);
  await expect(files.find("new", "br", "ana", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  expect(await files.find("new", "br", "ana", async () => text)).toBeInstanceOf(Buffer);
});
