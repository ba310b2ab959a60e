import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { AppError } from "../platform/AppError.ts";

const folder = resolve(import.meta.dirname, "../../../cli");
const blockSize = 512;

type CliPackage = Awaited<ReturnType<typeof makePackage>>;

/** The CLI as an npm package that knows this server's address. Made at its first use, because it is built separately. */
export function createCliPackage(appUrl: URL): () => Promise<CliPackage> {
  let made: Promise<CliPackage> | undefined;
  return () => {
    made ??= makePackage(appUrl).catch(() => {
      made = undefined;
      throw new AppError("error_not_found");
    });
    return made;
  };
}

/** `npm install -g {APP_URL}/cli/nido.tgz` */
export function cliPackageRoute(app: FastifyInstance, findPackage: () => Promise<CliPackage>) {
  const config = { allowCrossSite: true };
  app.get("/cli/nido.tgz", { config }, async (request, reply) => {
    const { bytes, etag } = await findPackage();
    reply.header("etag", etag).header("cache-control", "no-cache");
    if (request.headers["if-none-match"] === etag) return reply.code(304).send();
    return reply.type("application/gzip").send(bytes);
  });
}

async function makePackage(appUrl: URL) {
  const names = (await readdir(resolve(folder, "dist"))).filter((name) => name.endsWith(".cjs")).sort();
  if (!names.includes("nido.cjs")) throw new Error("the CLI has not been built");
  const files = await Promise.all(
    names.map(async (name) => ({ name, content: await readFile(resolve(folder, "dist", name)) })),
  );
  const own = JSON.parse(await readFile(resolve(folder, "package.json"), "utf8"));
  const { description, license, engines } = own;
  const digest = createHash("sha256");
  for (const { content } of files) digest.update(content);
  const manifest = {
    name: "nido",
    version: `${own.version}-${digest.digest("hex").slice(0, 12)}`,
    description,
    license,
    engines,
    bin: { nido: "nido.cjs" },
    nido: { server: appUrl.origin },
  };
  const archive = Buffer.concat([
    ...tarEntry("package/package.json", Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 0o644),
    ...files.flatMap(({ name, content }) => tarEntry(`package/${name}`, content, 0o755)),
    Buffer.alloc(2 * blockSize),
  ]);
  const bytes = await promisify(gzip)(archive);
  return {
    version: manifest.version,
    bytes,
    etag: `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`,
  };
}

/** A file in a tar archive (ustar): a header block, then the content padded to whole blocks. */
function tarEntry(name: string, content: Buffer, mode: number): Buffer[] {
  const head = Buffer.alloc(blockSize);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;
  head.write(name, 0);
  head.write(octal(mode, 8), 100);
  head.write(octal(0, 8), 108);
  head.write(octal(0, 8), 116);
  head.write(octal(content.length, 12), 124);
  head.write(octal(499_162_500, 12), 136); // the mtime that npm gives every file
  head.write("        ", 148);
  head.write("0", 156);
  head.write("ustar\x0000", 257, "latin1");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [head, content, Buffer.alloc((blockSize - (content.length % blockSize)) % blockSize)];
}
