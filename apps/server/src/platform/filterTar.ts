const blockBytes = 512;
const maxNameBytes = 2 ** 16;

/**
 * The chosen entries of a tar archive as GNU tar writes it, without the mark of its end. Entries are copied as they are,
 * sparse files too.
 */
export async function* filterTar(
  archive: AsyncIterable<Buffer>,
  isChosen: (path: string) => boolean,
): AsyncGenerator<Buffer> {
  const reader = new BlockReader(archive);
  /** the headers before an entry that hold its long name */
  let before: Buffer[] = [];
  let longName: string | undefined;
  for (;;) {
    const header = await reader.read(blockBytes);
    if (header.length < blockBytes) throw new Error("the archive is not complete");
    if (header.every((byte) => byte === 0)) return;
    const type = String.fromCharCode(header[156] ?? 0);
    const size = sizeOf(header);
    const padded = Math.ceil(size / blockBytes) * blockBytes;
    if ("LKxg".includes(type)) {
      if (size > maxNameBytes) throw new Error("a name in the archive is too long");
      const data = await reader.read(padded);
      longName = nameIn(type, data.subarray(0, size)) ?? longName;
      before.push(header, data);
      continue;
    }
    const isKept = isChosen(longName ?? shortName(header));
    const heads = [...before, header];
    // The map of a sparse file may continue after its header.
    for (let more = type === "S" ? header[482] : 0; more; more = heads.at(-1)?.[504])
      heads.push(await reader.read(blockBytes));
    if (isKept) yield Buffer.concat(heads);
    for await (const chunk of reader.pass(padded)) if (isKept) yield chunk;
    [before, longName] = [[], undefined];
  }
}

/** Two empty blocks. */
export const endOfTar = Buffer.alloc(2 * blockBytes);

/** A small file, as an entry. */
export function tarFile(name: string, content: string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)]);
}

/** What is before a file. */
export function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(blockBytes);
  header.write(name, 0, 100);
  header.write("0000600\0", 100);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("        0", 148);
  header.write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** What is after a file. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}

function shortName(header: Buffer): string {
  const name = textOf(header.subarray(0, 100));
  // GNU tar's own format has other things there.
  const isPosix = header.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? textOf(header.subarray(345, 500)) : "";
  return prefix ? `${prefix}/${name}` : name;
}

/** The name of the next entry, in an extra header of this type. */
function nameIn(type: string, data: Buffer): string | undefined {
  if (type === "L") return textOf(data);
  return type === "x" ? /(?:^|\n)\d+ path=(.*)\n/.exec(data.toString())?.[1] : undefined;
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end < 0 ? field.length : end);
}

/** Octal, or binary with the highest bit set. */
function sizeOf(header: Buffer): number {
  const field = header.subarray(124, 136);
  const size =
    (field[0] ?? 0) & 0x80 ? Number(field.readBigUInt64BE(4)) : Number.parseInt(textOf(field).trim() || "0", 8);
  if (!Number.isSafeInteger(size)) throw new Error("the archive is damaged");
  return size;
}

/** Reads a stream in pieces of a given size. */
class BlockReader {
  private readonly source: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.source = source[Symbol.asyncIterator]();
  }

  /** Less only at the end of the stream. */
  async read(size: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of this.chunks(size)) parts.push(part);
    return Buffer.concat(parts);
  }

  async *pass(size: number): AsyncGenerator<Buffer> {
    let passed = 0;
    for await (const part of this.chunks(size)) {
      passed += part.length;
      yield part;
    }
    if (passed < size) throw new Error("the archive is not complete");
  }

  private async *chunks(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (this.rest.length === 0) {
        const { value, done } = await this.source.next();
        if (done) return;
        this.rest = value;
      }
      const part = this.rest.subarray(0, left);
      this.rest = this.rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
}
