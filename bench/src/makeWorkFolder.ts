import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for one benchmark, removed by `cleanups`. */
export function makeWorkFolder(cleanups: AsyncDisposableStack): string {
  // The temporary folder may be in memory, or closed to the users that PostgreSQL and PHP run as.
  const folder = mkdtempSync(join(process.getuid?.() === 0 ? "/var/lib" : tmpdir(), "nido-bench-"));
  chmodSync(folder, 0o755);
  cleanups.defer(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
