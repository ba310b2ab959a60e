/** What a chunk costs besides its bytes. */
const overhead = 200;

/** PHP prints without waiting for a reader. Ends this thread if more than `limit` bytes wait to be read. */
export function guardOutput(limit: number) {
  let waiting = 0;
  const { prototype } = ReadableStreamDefaultController;
  const { enqueue } = prototype;
  prototype.enqueue = function (chunk?: ArrayBufferView) {
    waiting += overhead + (chunk?.byteLength ?? 0);
    if (waiting > limit) process.exit(1);
    return enqueue.call(this, chunk);
  };
  return {
    /** Another request begins. */
    begin: () => {
      waiting = 0;
    },
    read: (chunk: ArrayBufferView) => {
      waiting -= overhead + chunk.byteLength;
    },
  };
}
