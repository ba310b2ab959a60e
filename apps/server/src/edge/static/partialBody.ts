import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import type { ByteRange } from "../conditionalRequest.ts";

/** The body of a 206: the range itself, or each of several ranges with a head of its own (RFC 9110, 14.6). */
export function partialBody(ranges: ByteRange[], type: string, size: number) {
  const contentRange = ({ start, end }: ByteRange) => `bytes ${start}-${end}/${size}`;
  const [only] = ranges.length === 1 ? ranges : [];
  const boundary = only ? "" : randomBytes(12).toString("hex");
  const headOf = (range: ByteRange) =>
    only ? "" : `\r\n--${boundary}\r\ncontent-type: ${type}\r\ncontent-range: ${contentRange(range)}\r\n\r\n`;
  const tail = only ? "" : `\r\n--${boundary}--\r\n`;
  const length = ranges.reduce((sum, range) => sum + headOf(range).length + range.end - range.start + 1, tail.length);
  return {
    headers: {
      "content-length": String(length),
      ...(only
        ? { "content-range": contentRange(only) }
        : { "content-type": `multipart/byteranges; boundary=${boundary}` }),
    },
    of: (bytes: Buffer): Buffer =>
      only
        ? bytes.subarray(only.start, only.end + 1)
        : Buffer.concat([
            ...ranges.flatMap((range) => [Buffer.from(headOf(range)), bytes.subarray(range.start, range.end + 1)]),
            Buffer.from(tail),
          ]),
    /** `first`: the first range, which is open already */
    async *read(first: Readable, open: (range: ByteRange) => Promise<Readable>) {
      for (const [index, range] of ranges.entries()) {
        yield Buffer.from(headOf(range));
        yield* index === 0 ? first : await open(range);
      }
      yield Buffer.from(tail);
    },
  };
}
