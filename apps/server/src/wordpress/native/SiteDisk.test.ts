import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SiteDisk } from "./SiteDisk.ts";

const megabyte = 2 ** 20;

async function openDisk() {
  const folder = mkdtempSync("/var/lib/nido-disk-");
  const [images, sites] = [join(folder, "images"), join(folder, "sites")];
  for (const path of [images, sites]) mkdirSync(path);
  const disk = new SiteDisk(images, sites);
  onTestFinished(async () => {
    for (const id of ["a", "b"]) await disk.remove(id);
    rmSync(folder, { recursive: true, force: true });
  });
  return { disk, sites, reason: await disk.whyUnavailable() };
}

const isRoot = process.getuid?.() === 0;
const reason = isRoot ? undefined : "it needs root";
if (reason) console.log(`Skipped: the disks of sites, because ${reason}.`);

test.skipIf(reason)(
  "a site's disk refuses bytes and files beyond its size while the neighbour goes on writing",
  async ({ skip }) => {
    const { disk, sites, reason } = await openDisk();
    skip(reason !== undefined, `no image can be mounted here: ${reason}`);
    for (const id of ["a", "b"]) await disk.prepare(id, 48 * megabyte);
    expect(readdirSync(join(sites, "a"))).toEqual([]);
    const write = (id: string, name: string, bytes: number) =>
      writeFileSync(join(sites, id, name), Buffer.alloc(bytes, 1));
    expect(() => write("a", "big", 60 * megabyte)).toThrow(/ENOSPC/);
    rmSync(join(sites, "a/big"));
    const fill = () => {
      for (let n = 0; n < 10_000; n++) write("a", `empty-${n}`, 0);
    };
    expect(fill).toThrow(/ENOSPC/);
    write("b", "fine", 20 * megabyte);
    expect(statSync(join(sites, "b/fine")).size).toBe(20 * megabyte);

    const before = statfsSync(join(sites, "b")).blocks;
    await disk.prepare("b", 96 * megabyte);
    expect(statfsSync(join(sites, "b")).blocks).toBeGreaterThan(1.8 * before);
    expect(statSync(join(sites, "b/fine")).size).toBe(20 * megabyte);
    await disk.prepare("b", 48 * megabyte);
    expect(statfsSync(join(sites, "b")).blocks).toBeLessThan(1.1 * before);
    expect(() => write("b", "more", 40 * megabyte)).toThrow(/ENOSPC/);
    rmSync(join(sites, "b/more"));
    // It holds more than this: it keeps its size and what it holds.
    await disk.prepare("b", 16 * megabyte);
    expect(readFileSync(join(sites, "b/fine")).equals(Buffer.alloc(20 * megabyte, 1))).toBe(true);
    await disk.remove("b");
    expect(statSync(join(sites, "b/fine"), { throwIfNoEntry: false })).toBeUndefined();
  },
);
