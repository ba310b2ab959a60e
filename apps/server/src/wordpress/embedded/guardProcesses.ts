import { createRequire, syncBuiltinESMExports } from "node:module";

/**
 * For the thread that PHP runs in: nothing starts a process of this machine. Switching PHP's own functions off is not
 * enough: libraries inside it call `system`, which this PHP carries out by Node.
 */
export function guardProcesses() {
  const processes = createRequire(import.meta.url)("node:child_process");
  for (const name of ["spawn", "spawnSync", "exec", "execSync", "execFile", "execFileSync", "fork"]) {
    processes[name] = () => {
      throw new Error("a site may not start a process");
    };
  }
  syncBuiltinESMExports();
}
