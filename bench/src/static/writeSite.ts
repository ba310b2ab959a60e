import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const html = `<!doctype html><title>Bench</title>${"<p>Hola, mundo.</p>\n".repeat(100)}`;

/** The site that Nido publishes. */
export function writeSite(folder: string) {
  mkdirSync(folder);
  writeFileSync(join(folder, "index.html"), html);
  writeFileSync(join(folder, "image.jpg"), randomBytes(300_000));
}

/** Compresses the peers' copy as Nido compresses a deploy: gzip at level 9, brotli at its maximum quality. */
export function precompress(folder: string) {
  const file = join(folder, "index.html");
  const bytes = readFileSync(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
}
