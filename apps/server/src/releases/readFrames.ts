import type { Readable } from "node:stream";
import { digestLength, frameHeadLength } from "@nido/contract";
import { AppError } from "../http/AppError.ts";

/** A file's bytes on their way: read them before the next one. */
export interface Frame {
  sha256: string;
  size: number;
  content: AsyncGenerator<Buffer>;
}

/**
 * Reads files one after the other from one body: each is its digest (32 bytes), its size (8, the highest first) and its
 * bytes. Many small files travel as one request.
 */
export async function* readFrames(body: Readable): AsyncGenerator<Frame> {
  const source = body.iterator({ destroyOnReturn: false });
  let rest: Buffer = Buffer.alloc(0);

  const more = async (): Promise<boolean> => {
    const { value, done } = await source.next();
    if (done) return false;
    rest = rest.length > 0 ? Buffer.concat([rest, value]) : value;
    return true;
  };
  async function* take(size: number): AsyncGenerator<Buffer> {
    for (let left = size; left > 0; ) {
      if (rest.length === 0 && !(await more())) throw new AppError("error_invalid_input");
      const part = rest.subarray(0, left);
      rest = rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  for (;;) {
    while (rest.length < frameHeadLength) {
      if (await more()) continue;
      if (rest.length > 0) throw new AppError("error_invalid_input");
      return;
    }
    const sha256 = rest.subarray(0, digestLength).toString("hex");
    const size = Number(rest.readBigUInt64BE(digestLength));
    rest = rest.subarray(frameHeadLength);
    yield { sha256, size, content: take(size) };
  }
}
