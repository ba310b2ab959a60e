import type { Readable } from "node:stream";
import { digestLength, frameHeadLength } from "@nido/contract";
import { AppError } from "../../platform/AppError.ts";

interface FrameHead {
  sha256: string;
  size: number;
}

/** A file that came whole, with many others in one body. */
export interface Frame extends FrameHead {
  start: number;
}

/** A file's bytes on their way: read them before the next one. */
export interface FrameOnItsWay extends FrameHead {
  content: AsyncGenerator<Buffer>;
}

/**
 * Finds the files in a body that came whole. Each is its digest (32 bytes), its size (8, the highest first) and its
 * bytes, one after the other: many small files travel as one request.
 */
export function splitFrames(body: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let start = 0; start < body.length; ) {
    if (start + frameHeadLength > body.length) throw new AppError("error_invalid_input");
    const head = readHead(body.subarray(start));
    start += frameHeadLength;
    if (start + head.size > body.length) throw new AppError("error_invalid_input");
    frames.push({ ...head, start });
    start += head.size;
  }
  return frames;
}

/** The same of a body that is too large to be held. */
export async function* readFrames(body: Readable): AsyncGenerator<FrameOnItsWay> {
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
    const head = readHead(rest);
    rest = rest.subarray(frameHeadLength);
    yield { ...head, content: take(head.size) };
  }
}

function readHead(bytes: Buffer): FrameHead {
  return {
    sha256: bytes.subarray(0, digestLength).toString("hex"),
    size: Number(bytes.readBigUInt64BE(digestLength)),
  };
}
