import { isIP } from "node:net";
import { v8 } from "./builtins.ts";

/**
 * Up to 24, Node tells an address from a name by an expression that V8 takes 8 ms to optimise: half as long as the
 * server takes to publish something. Without that it takes 1 ms, and does what it did.
 */
export function quickenNames() {
  if (Number.parseInt(process.versions.node, 10) > 24) return;
  const { setFlagsFromString } = v8();
  setFlagsFromString("--no-regexp-optimization");
  // Compiled at its first use, and for speed at its second.
  for (let use = 1; use <= 2; use++) isIP("name");
  // The code that comes compiled with Node is good under its own flags only.
  setFlagsFromString("--regexp-optimization");
}
