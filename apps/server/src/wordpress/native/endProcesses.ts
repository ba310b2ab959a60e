import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const terminateTimeout = 5000;

/** Ends every process of a user: by SIGTERM first, then by SIGKILL. */
export async function endProcessesOf(uid: number) {
  for (let waited = 0; processesOf(uid).length > 0; waited += 10) {
    for (const pid of processesOf(uid)) kill(pid, waited > terminateTimeout ? "SIGKILL" : "SIGTERM");
    if (waited > 2 * terminateTimeout) throw new Error(`could not end the processes of unix user ${uid}`);
    await pause(10);
  }
}

/** Read from /proc: a pid file written by the site could name any process. */
function processesOf(uid: number): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1 && uidOf(pid) === uid);
}

function uidOf(pid: number): number | undefined {
  try {
    const [, uid] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(uid);
  } catch {
    return undefined; // it has ended
  }
}

function kill(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
