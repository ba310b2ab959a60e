import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertImage } from "@nido/server/edge/wordpress/images/convertImage";
import { imageForms } from "@nido/server/edge/wordpress/images/formFor";
import { CoreStore } from "@nido/server/wordpress/core/CoreStore";
import { coreSources } from "@nido/server/wordpress/core/sources";
import sharp from "sharp";
import type { Report } from "../Benchmark.ts";
import { makeWorkFolder } from "../makeWorkFolder.ts";

/** What WordPress writes the sizes of an uploaded photo with. */
const jpegQuality = 82;
const minBytes = 60_000;

/** The photos of WordPress's own themes. */
export async function benchImages(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  const { folder } = await new CoreStore(makeWorkFolder(cleanups), coreSources(undefined), console).current();
  const photos: Buffer[] = [];
  for (const entry of await readdir(join(folder, "wp-content/themes"), { recursive: true, withFileTypes: true })) {
    if (!/\.(webp|jpe?g)$/.test(entry.name)) continue;
    const photo = await sharp(await readFile(join(entry.parentPath, entry.name)))
      .jpeg({ quality: jpegQuality })
      .toBuffer();
    if (photo.length > minBytes) photos.push(photo);
  }
  for (const form of imageForms) {
    const ratios: number[] = [];
    for (const photo of photos) ratios.push(((await convertImage(photo, form)) ?? photo).length / photo.length);
    report({ name: `a photo as ${form}`, peer: `JPEG of quality ${jpegQuality}`, measure: "bytes", ratios });
  }
}
