/** The CLI packs up to 4 MB of files into one request. */
const pooledBytes = 2 ** 22 + 2 ** 16;
const maxPooled = 4;
const maxHeldBytes = 256 * 2 ** 20;
/** One customer's part of it; their further uploads are streamed to the store. */
const maxHeldByOne = 64 * 2 ** 20;

/** Reused: allocating a new buffer for each request takes as long as hashing its bytes. */
const pool: Buffer<ArrayBuffer>[] = [];
let heldBytes = 0;
const heldBy = new Map<string, number>();

/** The size of the buffer for a body: pooled buffers have one size, other bodies get a buffer of their own. */
function bufferBytes(length: number): number {
  return length > pooledBytes / 4 && length <= pooledBytes ? pooledBytes : length;
}

/** Whether a body of this length fits into the memory that all uploads share, and into the customer's part of it. */
export function hasRoomFor(userId: string, length: number): boolean {
  const size = bufferBytes(length);
  return heldBytes + size <= maxHeldBytes && (heldBy.get(userId) ?? 0) + size <= maxHeldByOne;
}

/**
 * Runs `work` with a buffer of at least this length. `work` returns the buffer's memory when it is done with it:
 * the memory may have been transferred to a thread and back.
 */
export async function withBuffer<Result>(
  userId: string,
  length: number,
  work: (buffer: Buffer<ArrayBuffer>) => Promise<{ result: Result; memory: ArrayBuffer }>,
): Promise<Result> {
  const size = bufferBytes(length);
  hold(userId, size);
  try {
    const buffer = (size === pooledBytes && pool.pop()) || Buffer.from(new ArrayBuffer(size));
    const { result, memory } = await work(buffer);
    if (size === pooledBytes && pool.length < maxPooled) pool.push(Buffer.from(memory));
    return result;
  } finally {
    hold(userId, -size);
  }
}

function hold(userId: string, bytes: number) {
  heldBytes += bytes;
  const held = (heldBy.get(userId) ?? 0) + bytes;
  if (held > 0) heldBy.set(userId, held);
  else heldBy.delete(userId);
}
