import { isIP } from "node:net";
import { v8 } from "./lazyBuiltins.ts";

/**
 * Up to version 24, Node recognises IP addresses by a regular expression. V8 takes 8 ms to optimise it, which
 * is half of the time that the server takes for a deploy. Without optimisation, compiling it takes 1 ms, and
 * it matches the same addresses.
 */
export function warmUpIsIP() {
  if (Number.parseInt(process.versions.node, 10) > 24) return;
  const { setFlagsFromString } = v8();
  setFlagsFromString("--no-regexp-optimization");
  // V8 compiles the expression to bytecode at its first use and to machine code at its second.
  for (let use = 1; use <= 2; use++) isIP("name");
  // Restored, because V8 rejects Node's built-in code cache when the flags differ from those it was made with.
  setFlagsFromString("--regexp-optimization");
}
