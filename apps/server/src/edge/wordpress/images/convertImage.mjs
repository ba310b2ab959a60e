// Run in a sandbox by `convertImage.ts`: reads an image from standard input, and writes it in another format.
import { stdin, stdout } from "node:process";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";

const [format, maxPixels] = process.argv.slice(2);
const options = { avif: { quality: 55, effort: 3 }, webp: { quality: 80, effort: 4 } };

sharp.concurrency(1);
const image = sharp(await buffer(stdin), { limitInputPixels: Number(maxPixels), failOn: "error" });
stdout.write(await image.autoOrient().keepIccProfile().toFormat(format, options[format]).toBuffer());
