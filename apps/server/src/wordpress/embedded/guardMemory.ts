const page = 65_536;

/**
 * Lets no WebAssembly memory of this thread grow past a limit: PHP then runs out of it, and its thread ends.
 * Returns what tells how much is used; it never shrinks.
 */
export function guardMemory(limit: number): () => number {
  let used = 0;
  const grow = WebAssembly.Memory.prototype.grow;
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    const wanted = this.buffer.byteLength + pages * page;
    if (wanted > limit) throw new RangeError("the site has used all its memory");
    used = Math.max(used, wanted);
    return grow.call(this, pages);
  };
  return () => used;
}
