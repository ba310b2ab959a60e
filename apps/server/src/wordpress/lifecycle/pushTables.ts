import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { tarHeader, tarPadding } from "../../platform/filterTar.ts";
import { requireRoom } from "../../platform/requireRoom.ts";
import { requestSite } from "../requestSite.ts";
import type { WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { dumpName, finishImport, importDump } from "./importDump.ts";

/** The site may answer anything. */
const pieceSchema = z.object({ sql: z.base64(), next: z.string().max(500) });
/** A piece has some megabytes, and then ends after a row. */
const maxPieceBytes = 64 * 2 ** 20;
const maxPieces = 20_000;
const maxMs = 2 * 60 * 60_000;
/** All our sites have it. */
const prefix = "wp_";

interface Target {
  path: string;
  maxBytes: number;
}

/** Writes tables of a site to a file as SQL, a piece at a time, because no request to PHP may take longer. */
export async function dumpTables(wordpress: WordPress, site: Site, tables: string[], { path, maxBytes }: Target) {
  const until = Date.now() + maxMs;
  const file = await open(path, "w", 0o600);
  let [pieces, written] = [0, 0];
  try {
    for (const name of tables) {
      const before = written;
      for (let after = "", isLast = false; !isLast; pieces++) {
        const request = { url: "/", script: { in: "nido", path: "push-table.php" }, maxBytes: maxPieceBytes } as const;
        const server = { NIDO_TABLE: JSON.stringify({ name, after }) };
        const piece = pieceSchema.parse(JSON.parse(await requestSite(wordpress, site, { ...request, server })));
        const sql = Buffer.from(piece.sql, "base64");
        written += sql.length;
        if (written > maxBytes || pieces > maxPieces || Date.now() > until)
          throw new Error(`the copy of ${name} is too large, or takes too long`);
        await requireRoom(dirname(path), sql.length);
        await file.appendFile(sql);
        isLast = piece.next === "";
        after = piece.next;
      }
      if (written === before) throw new Error(`${name} is a view, or cannot be read`);
    }
  } finally {
    await file.close();
  }
}

/** The dump as an entry of a backup. */
export async function* dumpEntry(path: string): AsyncGenerator<Buffer> {
  const { size } = await stat(path);
  yield tarHeader(`wp-content/${dumpName}`, size);
  yield* createReadStream(path);
  yield tarPadding(size);
}

/** Brings chosen tables of the dump that a site was restored with into its database. `from`: the address that is in them */
export async function bringInTables(
  wordpress: WordPress,
  site: Site,
  { tables: only, from }: { tables: string[]; from: string },
) {
  const { tables, failed } = await importDump(wordpress, site, { prefix, only }, async () => undefined);
  const missing = only.filter((name) => !tables.has(name) || failed.has(name));
  if (missing.length > 0) throw new Error(`could not bring in ${missing.slice(0, 20).join(", ")}`);
  await finishImport(wordpress, site, from);
}
