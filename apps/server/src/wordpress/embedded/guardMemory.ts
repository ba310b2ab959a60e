const pageBytes = 65_536;

/**
 * Limits the WebAssembly memory of this thread: above the limit PHP runs out of memory and the thread ends.
 * Returns a function that tells how many bytes are used; the number never shrinks.
 */
export function guardMemory(limit: number): () => number {
  let used = 0;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    const wanted = this.buffer.byteLength + pages * pageBytes;
    if (wanted > limit) throw new RangeError(`the site reached its memory limit of ${limit} bytes`);
    used = Math.max(used, wanted);
    return grow.call(this, pages);
  };
  return () => used;
}
