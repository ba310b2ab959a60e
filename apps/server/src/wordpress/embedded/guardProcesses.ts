import { createRequire, syncBuiltinESMExports } from "node:module";

/**
 * Prevents the thread that PHP runs in from starting processes. Disabling PHP's own functions is not enough, because
 * libraries inside PHP call `system`, which php-wasm implements by Node's child_process.
 */
export function guardProcesses() {
  const processes = createRequire(import.meta.url)("node:child_process");
  for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]) {
    processes[name] = () => {
      throw new Error("sites must not start a process");
    };
  }
  syncBuiltinESMExports();
}
