import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { PassThrough, pipeline, type Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import tar from "tar-stream";
import yauzl from "yauzl";

/** A regular file in an archive. */
export interface ArchiveFile {
  /** with forward slashes, relative, without `..` */
  path: string;
  size: number;
  /** To be read before the next file, if at all. */
  read(): Promise<Readable>;
}

/** Not an archive, damaged, encrypted or in a format that is not supported. */
export class ArchiveError extends Error {}

const zipSignature = Buffer.from("PK");
const gzipSignature = Buffer.from([0x1f, 0x8b]);
const maxFiles = 500_000;
const maxNameBytes = 255;
const maxPathLength = 1000;

/**
 * The regular files of a ZIP, tar or tar.gz file, in their order. Links, devices and odd paths are left out. Throws an
 * ArchiveError if the archive is damaged, or unpacks to more than so many bytes.
 */
export async function* readArchive(file: string, maxBytes: number): AsyncGenerator<ArchiveFile> {
  const start = await readStart(file);
  if (start.length < 2) throw new ArchiveError("the file is empty");
  for await (const entry of start.subarray(0, 2).equals(zipSignature)
    ? readZip(file, maxBytes)
    : readTar(file, start, maxBytes)) {
    const path = cleanPath(entry.path);
    if (path) yield { ...entry, path };
  }
}

async function readStart(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function* readZip(file: string, maxBytes: number): AsyncGenerator<ArchiveFile> {
  const zip = await yauzl.openPromise(file, { autoClose: false, decodeStrings: false }).catch(damaged);
  try {
    let [bytes, entries] = [0, 0];
    for await (const entry of zip.eachEntry()) {
      const path = nameOf(entry);
      bytes += entry.uncompressedSize;
      if (bytes > maxBytes || ++entries > maxFiles) throw new ArchiveError("the archive unpacks to too much");
      if (path.endsWith("/") || isLink(entry)) continue;
      if (entry.isEncrypted()) throw new ArchiveError("the archive is encrypted");
      const read = async () => guard(await zip.openReadStreamPromise(entry).catch(damaged));
      yield { path, size: entry.uncompressedSize, read };
    }
  } catch (error) {
    damaged(error as Error);
  } finally {
    zip.close();
  }
}

/** Many programs write names in UTF-8 without saying so. */
function nameOf(entry: yauzl.Entry): string {
  const bytes = entry.fileName as unknown as Buffer;
  return isUtf8(bytes) ? bytes.toString() : bytes.toString("latin1");
}

/** Unix keeps the kind of a file in the upper half of these attributes. */
function isLink({ externalFileAttributes }: yauzl.Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

async function* readTar(file: string, start: Buffer, maxBytes: number): AsyncGenerator<ArchiveFile> {
  const source = createReadStream(file);
  const extract = tar.extract();
  const done = (error?: Error | null) => error && extract.destroy(error);
  let [bytes, entries] = [0, 0];
  const limit = new Transform({
    transform(chunk, _encoding, next) {
      bytes += chunk.length;
      next(bytes > maxBytes ? new ArchiveError("the archive unpacks to too much") : null, chunk);
    },
  });
  if (start.equals(gzipSignature)) pipeline(source, createGunzip(), limit, extract, done);
  else pipeline(source, limit, extract, done);
  try {
    for await (const entry of extract) {
      const { name, size = 0, type } = entry.header;
      if (++entries > maxFiles) throw new ArchiveError("the archive has too many files");
      if (type === "file" || type === "contiguous-file")
        yield { path: name, size, read: async () => entry as unknown as Readable };
      entry.resume();
    }
  } catch (error) {
    damaged(error as Error);
  } finally {
    source.destroy();
  }
}

/** What is wrong with the bytes of a file is the archive's fault. */
export function guard(source: Readable): Readable {
  const guarded = new PassThrough();
  pipeline(source, guarded, (error) => {
    if (error) guarded.destroy(error instanceof ArchiveError ? error : new ArchiveError(error.message));
  });
  return guarded;
}

function damaged(error: Error): never {
  throw error instanceof ArchiveError ? error : new ArchiveError(error.message, { cause: error });
}

function cleanPath(path: string): string | undefined {
  const parts = path
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  const isOdd =
    parts.some((part) => part === ".." || Buffer.byteLength(part) > maxNameBytes) ||
    path.length > maxPathLength ||
    parts.length === 0 ||
    /\p{Cc}/u.test(path);
  return isOdd ? undefined : parts.join("/");
}
