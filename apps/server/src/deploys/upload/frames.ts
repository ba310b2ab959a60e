import type { Readable } from "node:stream";
import { digestLength, frameHeadLength } from "@nido/contract";
import { AppError } from "../../platform/AppError.ts";

/** The files of one request. The CLI sends 400 at most; empty ones would otherwise fit by the hundred thousand. */
const maxFrames = 5000;

interface FrameHead {
  sha256: string;
  size: number;
}

/** A file inside a body that is in memory. */
export interface Frame extends FrameHead {
  start: number;
}

/** A file inside a body that is being streamed: read its content before the next frame. */
export interface StreamedFrame extends FrameHead {
  content: AsyncGenerator<Buffer>;
}

/**
 * The files in a body. Each frame is a SHA-256 digest (32 bytes), a size (8 bytes, big-endian) and the content. This
 * way many small files travel in one request.
 */
export function splitFrames(body: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let start = 0; start < body.length; ) {
    if (frames.length >= maxFrames) throw new AppError("error_invalid_input");
    if (start + frameHeadLength > body.length) throw new AppError("error_invalid_input");
    const head = readHead(body.subarray(start));
    start += frameHeadLength;
    if (start + head.size > body.length) throw new AppError("error_invalid_input");
    frames.push({ ...head, start });
    start += head.size;
  }
  return frames;
}

/** The same for a body that is too large for memory. */
export async function* readFrames(body: Readable): AsyncGenerator<StreamedFrame> {
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

  for (let count = 0; ; count++) {
    if (count > maxFrames) throw new AppError("error_invalid_input");
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
