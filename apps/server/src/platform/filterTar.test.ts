import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { endOfTar, filterTar } from "./filterTar.ts";

const long = `${"a folder with a long name/".repeat(8)}ñandú.txt`;

function makeFiles() {
  const folder = mkdtempSync(join(tmpdir(), "nido-tar-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const source = join(folder, "source");
  mkdirSync(join(source, "files", long, ".."), { recursive: true });
  mkdirSync(join(source, "other"));
  writeFileSync(join(source, "files", long), "long");
  writeFileSync(join(source, "files", "empty"), "");
  writeFileSync(join(source, "files", "block"), "x".repeat(512));
  writeFileSync(join(source, "files", "large"), Buffer.alloc(300_001, "y"));
  symlinkSync("block", join(source, "files", "link"));
  // Many holes, so that the map of the file does not fit into its header.
  const file = openSync(join(source, "files", "holes"), "w");
  for (let at = 0; at < 30; at++) writeSync(file, "z", at * 1_000_000);
  closeSync(file);
  writeFileSync(join(source, "other", "left out"), "secret");
  return { folder, source };
}

/** Chunks of odd sizes, as they may come from a network. */
async function* inPieces(content: Buffer) {
  for (let at = 0, size = 1; at < content.length; at += size, size = (size * 7) % 5000 || 1)
    yield content.subarray(at, at + size);
}

const filtered = (archive: Buffer) =>
  buffer(Readable.from(filterTar(inPieces(archive), (path) => path.startsWith("files/"))));

test.each(["gnu", "posix", "ustar"])("chosen entries are copied as they are, in the %s format", async (format) => {
  const { folder, source } = makeFiles();
  if (format === "ustar") rmSync(join(source, "files", "a folder with a long name"), { recursive: true });
  const sparse = format === "ustar" ? [] : ["--sparse"];
  const archive = execFileSync("tar", ["-c", ...sparse, `--format=${format}`, "-C", source, "other", "files"], {
    maxBuffer: 1e9,
  });
  const target = join(folder, "target");
  mkdirSync(target);
  const content = Buffer.concat([await filtered(archive), endOfTar]);
  execFileSync("tar", ["-x", "-C", target], { input: content });
  expect(readdirSync(target)).toEqual(["files"]);
  // Fails at the first difference.
  execFileSync("tar", ["--compare", "-C", target, "files"], { input: archive });
  expect(readFileSync(join(target, "files", "large")).length).toBe(300_001);
});

test("an archive that is cut off or damaged is refused", async () => {
  const { source } = makeFiles();
  const archive = execFileSync("tar", ["-c", "-C", source, "files"], { maxBuffer: 1e9 });
  for (const length of [100, 700, 100_000])
    await expect(filtered(archive.subarray(0, length))).rejects.toThrow("not complete");
  const damaged = Buffer.from(archive);
  damaged.write("zzzzzzzzzzz", 124);
  await expect(filtered(damaged)).rejects.toThrow("damaged");
});
