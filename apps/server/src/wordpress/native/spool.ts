import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

/** Buffers an upload in an unlinked temporary file, so that a slow visitor does not occupy a PHP worker. */
export async function spool(body: Readable): Promise<Readable> {
  const path = join(tmpdir(), `nido-upload-${randomUUID()}`);
  const file = await open(path, "wx+", 0o600);
  try {
    await unlink(path);
    await file.writeFile(body);
    return file.createReadStream({ start: 0 });
  } catch (error) {
    await file.close();
    throw error;
  }
}
