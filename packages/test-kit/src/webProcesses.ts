import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The web processes that a product has started; itself, if it serves alone. */
export function webProcesses(pid: number): number[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const found = lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...args]) => Number(parent) === pid && args.join(" ").includes("webProcess.ts"))
    .map(([child]) => Number(child));
  return found.length > 0 ? found : [pid];
}

/** The memory that these processes occupy together, in bytes. */
export function memoryOf(pids: number[]): number {
  const sizes = pids.map((pid) => /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return sizes.reduce((sum, size) => sum + Number(size) * 1024, 0);
}
