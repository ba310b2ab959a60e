// Run in a sandbox by `convertImage.ts`: reads an image from standard input, and writes it in another format.
import { stdin, stdout } from "node:process";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";

const [format, maxPixels] = process.argv.slice(2);
const options = { avif: { quality: 55, effort: 3 }, webp: { quality: 80, effort: 4 } };

sharp.concurrency(1);
const source = await buffer(stdin);
// The frames of an animated PNG come after this chunk.
const isAnimated = source.subarray(0, source.indexOf("IDAT")).includes("acTL");
const image = sharp(source, { limitInputPixels: Number(maxPixels), failOn: "error" });
const convert = () => image.autoOrient().keepIccProfile().toFormat(format, options[format]).toBuffer();
const made = isAnimated ? undefined : await convert().catch(() => undefined);
if (made) stdout.write(made);
else process.exitCode = 3;
