import { Readable } from "node:stream";
import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import type { MoveInCopy } from "../../db/schema.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { endOfTar, tarHeader, tarPadding } from "../../platform/filterTar.ts";
import { fetchMoveInJob, inspectMoveInJob } from "../jobs.ts";
import { findWordPress } from "../queries.ts";
import type { WordPress } from "../WordPress.ts";
import { askSource, SourceError } from "./askSource.ts";
import { maxUnpacked } from "./inspectMoveIn.ts";
import { failFetch, findMoveIn, finishFetch, type MoveInRow, recordPiece, removeMoveIn } from "./moveInRows.ts";
import { copiedDump } from "./planMoveIn.ts";

/** Then other jobs of the pool have their turn. */
const turnMs = 3 * 60_000;
const maxMs = 24 * 60 * 60_000;
const maxPieces = 20_000;

/**
 * Copies another WordPress piece by piece, as the archive that its owner could have sent. An attempt goes on where the one
 * before it ended.
 */
export async function fetchMoveIn(
  wordpress: WordPress,
  { projectId, id }: { projectId: string; id: string },
  isLastAttempt: boolean,
) {
  const { db, log, uploads, signal } = wordpress;
  const site = await findWordPress(db, projectId);
  if (!site) return;
  const change = (work: (tx: Tx) => Promise<void>) =>
    db.transactionOf(site.userId, async (tx) => {
      await lockUser(tx, site.userId);
      await work(tx);
      await announceChange(tx, site.userId);
    });
  const goOnLater = () =>
    change(async (tx) => {
      if ((await findMoveIn(tx, projectId))?.id === id) await enqueue(tx, fetchMoveInJob, { projectId, id });
    });
  if (site.archivedAt) {
    await removeMoveIn(db, projectId);
    return uploads.remove(id);
  }
  const turnEnd = Date.now() + turnMs;
  try {
    let row = await findMoveIn(db, projectId);
    while (row?.id === id && row.source && !row.source.isRead) {
      if (Date.now() > turnEnd || signal.aborted) return await goOnLater();
      if (row.received > maxUnpacked(site)) throw new SourceError("error_move_in_size", "it is larger than the site");
      if (row.parts.length > maxPieces || Date.now() - row.createdAt.getTime() > maxMs)
        throw new SourceError("error_move_in_source", "it takes too long");
      await fetchPiece(wordpress, row, change);
      row = await findMoveIn(db, projectId);
    }
    if (row?.id === id && row.source) await finish(wordpress, row, change);
  } catch (error) {
    if (signal.aborted) return await goOnLater();
    const key = error instanceof SourceError ? error.key : "error_unknown";
    // A network can be down for a while.
    if (!isLastAttempt && (key === "error_move_in_source" || key === "error_unknown")) throw error;
    log.warn({ err: error, project: projectId }, "could not copy another WordPress");
    const row = await findMoveIn(db, projectId);
    await change((tx) => failFetch(tx, id, key));
    await uploads.remove(id);
    if (row?.id === id && row.source) await endPlugin(wordpress, id, row.source);
  }
}

/** The plugin that we brought there deletes itself. If it is not told to, it does so after a day. */
async function endPlugin({ box, log, signal, mayAskPrivate: mayBePrivate }: WordPress, id: string, source: MoveInCopy) {
  if (source.user !== undefined) return;
  const opened = { ...source, password: box.open(Buffer.from(source.password, "base64"), id) };
  await askSource(opened, "end", {}, { mayBePrivate, signal }).catch((err) =>
    log.warn({ err }, "our plugin in another WordPress was not told to end"),
  );
}

type Change = (work: (tx: Tx) => Promise<void>) => Promise<void>;

async function fetchPiece(wordpress: WordPress, { id, parts, source }: MoveInRow, change: Change) {
  if (!source) return;
  const { box, uploads, signal, mayAskPrivate: mayBePrivate } = wordpress;
  const { tables, after } = source;
  const [table] = tables;
  const password = box.open(Buffer.from(source.password, "base64"), id);
  const fields = { after, ...(table && { name: table }) };
  const piece = await askSource({ ...source, password }, table ? "table" : "files", fields, { mayBePrivate, signal });
  const { length: bytes } = piece.bytes;
  if (piece.next !== "" && (piece.next === after || bytes === 0))
    throw new SourceError("error_move_in_source", "the copy makes no progress");
  await uploads.requireRoom(bytes);
  const name = await uploads.add(id, Readable.from([piece.bytes]));
  const dump = table ? { dumpBytes: source.dumpBytes + bytes, dumpParts: source.dumpParts + 1 } : {};
  const isLast = piece.next === "";
  const next = {
    ...{ ...source, ...dump, after: piece.next },
    ...(isLast && (table ? { tables: tables.slice(1) } : { isRead: true })),
  };
  let isExpected = false;
  await change(async (tx) => {
    isExpected = await recordPiece(tx, id, parts.length, { name, bytes, source: next });
  });
  // It was removed, or replaced by another one.
  if (!isExpected) await uploads.removePart(id, name);
}

/** Puts the pieces into the order of an archive, and forgets the password. */
async function finish(wordpress: WordPress, { id, projectId, parts, source }: MoveInRow, change: Change) {
  if (!source) return;
  const { uploads } = wordpress;
  const { dumpBytes, dumpParts } = source;
  const add = (bytes: Buffer) => uploads.add(id, Readable.from([bytes]));
  const [head, between, end] = [tarHeader(copiedDump, dumpBytes), tarPadding(dumpBytes), endOfTar];
  const dump = [await add(head), ...parts.slice(0, dumpParts), await add(between)];
  const names = [...dump, ...parts.slice(dumpParts), await add(end)];
  await change(async (tx) => {
    if (await finishFetch(tx, id, names, head.length + between.length + end.length))
      await enqueue(tx, inspectMoveInJob, { projectId, id });
  });
  await endPlugin(wordpress, id, source);
}
