import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import { endOfTar } from "../../platform/filterTar.ts";
import { dumpName } from "../lifecycle/importDump.ts";
import { type MoveInPlan, readUnzipped, targetOf } from "./planMoveIn.ts";
import { readArchive } from "./readArchive.ts";

interface Source {
  maxBytes: number;
  /** the file with the archive */
  archive: string;
  plan: MoveInPlan;
  /** the file with the dump */
  dump: string;
}

/** Writes the dump of an archive, whose size is known, to a file. */
export async function extractDump(archive: string, plan: MoveInPlan, target: string, maxBytes: number) {
  for await (const file of readArchive(archive, maxBytes)) {
    if (file.path !== plan.dump) continue;
    await pipeline(await readUnzipped(file), createWriteStream(target, { mode: 0o600 }));
    return;
  }
}

/** The files of an archive as entries of a backup, without the mark of its end. */
export async function* packMoveIn({ archive, plan, dump, maxBytes }: Source): AsyncGenerator<Buffer> {
  const pack = tar.pack();
  async function fill() {
    const add = (name: string, size: number) => pack.entry({ name: `wp-content/${name}`, size, mode: 0o644 });
    // WordPress finds no theme at all without the folder of its themes.
    for (const name of ["plugins", "themes", "uploads"])
      pack.entry({ name: `wp-content/${name}`, type: "directory", mode: 0o755 });
    for await (const file of readArchive(archive, maxBytes)) {
      const target = file.path === plan.dump ? undefined : targetOf(plan, file.path);
      if (target) await pipeline(await file.read(), add(target, file.size));
    }
    await pipeline(createReadStream(dump), add(dumpName, (await stat(dump)).size));
    pack.finalize();
  }
  fill().catch((error) => pack.destroy(error));
  let held = Buffer.alloc(0);
  for await (const chunk of pack as AsyncIterable<Buffer>) {
    const all = Buffer.concat([held, chunk]);
    const ready = Math.max(all.length - endOfTar.length, 0);
    if (ready > 0) yield all.subarray(0, ready);
    held = all.subarray(ready);
  }
}
