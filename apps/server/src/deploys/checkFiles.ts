import { findCollision, pathFault, type SiteFile } from "@nido/contract";
import { AppError } from "../platform/AppError.ts";

/** Refuses a file list with an invalid path, a collision or too many bytes; the error names the path. */
export function checkFiles(files: SiteFile[], maxBytes: number) {
  for (const { path } of files) {
    const fault = pathFault(path);
    if (fault) throw new AppError("error_path_invalid", { detail: path });
  }
  const sizes = new Map<string, number>();
  for (const { path, sha256, size } of files) {
    if ((sizes.get(sha256) ?? size) !== size) throw new AppError("error_digest_mismatch", { detail: path });
    sizes.set(sha256, size);
  }
  const collision = findCollision(files.map(({ path }) => path));
  if (collision) throw new AppError("error_path_collision", { detail: collision.join(", ") });
  if (sizeOf(files) > maxBytes) throw new AppError("error_disk_full");
}

export function sizeOf(files: Pick<SiteFile, "size">[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
