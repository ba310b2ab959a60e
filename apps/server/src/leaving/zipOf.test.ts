import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { type Part, zipOf } from "./zipOf.ts";

const text = (path: string, content: string): Part => ({
  path,
  open: async () => Readable.from([Buffer.from(content)]),
});

test("a zip has its files, and the parts are opened one after the other", async () => {
  const opened: number[] = [];
  const zip = await buffer(
    zipOf([text("a.txt", "one"), text("sub/ñ.txt", "two")], async (index) => void opened.push(index)),
  );
  const files = unzipSync(zip);
  expect(Object.entries(files).map(([path, bytes]) => [path, Buffer.from(bytes).toString()])).toEqual([
    ["a.txt", "one"],
    ["sub/ñ.txt", "two"],
  ]);
  expect(opened).toEqual([0, 1]);
});

test("a part that cannot be opened, fails or ends early breaks the zip, and no further part is opened", async () => {
  const broken: Part["open"][] = [
    async () => Promise.reject(new Error("no such file")),
    async () =>
      new Readable({
        read() {
          this.destroy(new Error("disk fault"));
        },
      }),
    async () =>
      new Readable({
        read() {
          this.push("half");
          this.destroy();
        },
      }),
  ];
  for (const open of broken) {
    let isOpened = false;
    const later: Part = {
      path: "later",
      open: async () => {
        isOpened = true;
        return Readable.from(["later"]);
      },
    };
    await expect(buffer(zipOf([text("a", "1"), { path: "b", open }, later]))).rejects.toThrow();
    expect(isOpened).toBe(false);
  }
});

test("if nobody reads any longer, the open part is closed", async () => {
  let isClosed = false;
  const endless: Part = {
    path: "endless",
    isCompressed: true,
    open: async () =>
      new Readable({
        read() {
          this.push(Buffer.alloc(65_536));
        },
        destroy(error, done) {
          isClosed = true;
          done(error);
        },
      }),
  };
  const zip = zipOf([endless]);
  for await (const _chunk of zip) break;
  await expect.poll(() => isClosed).toBe(true);
});
