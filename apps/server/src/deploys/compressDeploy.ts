import { hash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { isCompressible } from "@nido/static-site";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import { blobKey } from "./blobs/BlobStore.ts";
import { findBlobs, setVariants } from "./blobs/queries.ts";
import type { Deploys } from "./Deploys.ts";
import { findFiles, setCompressed } from "./queries.ts";

const [compressGzip, compressBrotli] = [promisify(gzip), promisify(brotliCompress)];
const minBytes = 256;
const maxBytes = 20 * 2 ** 20;
/** Brotli's best quality takes a second for each megabyte. */
const bestQualityMaxBytes = 2 ** 19;
/** A compressed form is kept only if it saves at least this much. */
const maxRatio = 0.95;

/** Stores gzip and Brotli forms of a deploy's files, in the background. */
export async function compressDeploy(
  { db, store }: Deploys,
  { deployId, userId }: { deployId: string; userId: string },
) {
  const files = await findFiles(db, deployId);
  if (files.length === 0) return;
  const digests = [...new Set(files.filter(([path]) => isCompressible(path)).map(([, sha256]) => sha256))];
  for (const { sha256, size, compressedAt } of await findBlobs(db, userId, digests)) {
    if (compressedAt || size < minBytes || size > maxBytes) continue;
    const bytes = await buffer(await store.read(blobKey(userId, sha256)));
    // A blob damaged on disk must not be served under a new, consistent digest.
    if (hash("sha256", bytes) !== sha256)
      throw new Error(`blob ${blobKey(userId, sha256)} is damaged: its digest differs`);
    const quality = size > bestQualityMaxBytes ? 9 : constants.BROTLI_MAX_QUALITY;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: size };
    const forms = { gzip: await compressGzip(bytes, { level: 9 }), br: await compressBrotli(bytes, { params }) };
    const keep = async (encoding: keyof typeof forms) => {
      const form = forms[encoding];
      if (form.length > size * maxRatio) return null;
      await store.put(blobKey(userId, sha256, encoding), form, form.length);
      return form.length;
    };
    await setVariants(db, userId, sha256, { gzip: await keep("gzip"), brotli: await keep("br") });
  }
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await setCompressed(tx, deployId);
    await announceChange(tx, userId);
  });
}
