import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const html = `<!doctype html><title>Bench</title>${"<p>Hola, mundo.</p>\n".repeat(100)}`;

/** Text that gzip compresses to about a quarter, as it does typical pages. */
const article = Array.from({ length: 2600 }, () => `<p class="note">${randomBytes(3).toString("hex")}</p>`).join("\n");

/** The site that Nido publishes. */
export function writeSite(folder: string) {
  mkdirSync(folder);
  writeFileSync(join(folder, "article.html"), article);
  writeFileSync(join(folder, "index.html"), html);
  writeFileSync(join(folder, "image.jpg"), randomBytes(300_000));
}

/** Compresses the peers' copy as Nido compresses a deploy: gzip at level 9, brotli at its maximum quality. */
export function precompress(folder: string) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  for (const name of ["index.html", "article.html"]) {
    const file = join(folder, name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
  }
}
