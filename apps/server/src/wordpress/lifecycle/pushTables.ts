import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { z } from "zod";
import { tarHeader, tarPadding } from "../../platform/filterTar.ts";
import { requestSite } from "../requestSite.ts";
import type { WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";
import { dumpName, finishImport, importDump } from "./importDump.ts";

const pieceSchema = z.object({ sql: z.base64(), next: z.string() });
const maxMs = 2 * 60 * 60_000;
/** All our sites have it. */
const prefix = "wp_";

/** Writes tables of a site to a file as SQL, a piece at a time, because no request to PHP may take longer. */
export async function dumpTables(wordpress: WordPress, site: Site, tables: string[], path: string) {
  const until = Date.now() + maxMs;
  const file = await open(path, "w", 0o600);
  try {
    for (const name of tables) {
      for (let after = "", isLast = false; !isLast; ) {
        const request = { url: "/", script: { in: "nido", path: "push-table.php" } } as const;
        const server = { NIDO_TABLE: JSON.stringify({ name, after }) };
        const piece = pieceSchema.parse(JSON.parse(await requestSite(wordpress, site, { ...request, server })));
        if ((piece.next !== "" && piece.next === after) || Date.now() > until)
          throw new Error(`the copy of ${name} makes no progress, or takes too long`);
        await file.write(Buffer.from(piece.sql, "base64"));
        isLast = piece.next === "";
        after = piece.next;
      }
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

/** Brings the dump that a site was restored with into its database. The tables come from a site with another address. */
export async function bringInTables(wordpress: WordPress, site: Site, from: string) {
  const { failed } = await importDump(wordpress, site, { prefix, keeps: true }, async () => undefined);
  if (failed.size > 0) throw new Error(`could not bring in ${[...failed].join(", ")}`);
  await finishImport(wordpress, site, from);
}
