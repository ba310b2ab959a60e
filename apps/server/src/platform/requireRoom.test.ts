import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { requireRoom, reservedBytes } from "./requireRoom.ts";

const gigabyte = 2 ** 30;

test.each([
  [20, 2],
  [100, 10],
  [252, 10],
  [4000, 10],
])("of a disk of %i GB, %i GB stay free", (disk, reserve) =>
  expect(reservedBytes(disk * gigabyte)).toBe(reserve * gigabyte),
);

test.each([1, 2.5])("what would use %d reserves is refused", async (reserves) => {
  const { bavail, bsize } = await statfs(tmpdir());
  await expect(requireRoom(tmpdir(), bavail * bsize, reserves)).rejects.toThrow(/^no room for/);
});
