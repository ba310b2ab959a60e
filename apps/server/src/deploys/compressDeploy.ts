import { hash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import { blobKey } from "./blobs/BlobStore.ts";
import { isCompressible } from "./contentType.ts";
import type { Releases } from "./Deploys.ts";
import { findBlobs, findFiles, setCompressed, setVariants } from "./queries.ts";

const [compressGzip, compressBrotli] = [promisify(gzip), promisify(brotliCompress)];
const smallest = 256;
const largest = 20 * 2 ** 20;
/** Brotli's best takes a second a megabyte. */
const bestUpTo = 2 ** 19;
/** What saves less is not worth its place. */
const worthwhile = 0.95;

/** Makes the compressed forms of what a deploy shows, apart from any request. */
export async function compressDeploy(
  { db, store }: Releases,
  { deployId, userId }: { deployId: string; userId: string },
) {
  const files = await findFiles(db, deployId);
  if (files.length === 0) return;
  const digests = [...new Set(files.filter(([path]) => isCompressible(path)).map(([, sha256]) => sha256))];
  for (const { sha256, size, compressedAt } of await findBlobs(db, userId, digests)) {
    if (compressedAt || size < smallest || size > largest) continue;
    const bytes = await buffer(await store.read(blobKey(userId, sha256)));
    // A disk that lost something would be believed from now on.
    if (hash("sha256", bytes) !== sha256) throw new Error(`${blobKey(userId, sha256)} is not what it was`);
    const quality = size > bestUpTo ? 9 : constants.BROTLI_MAX_QUALITY;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: size };
    const forms = { gzip: await compressGzip(bytes, { level: 9 }), br: await compressBrotli(bytes, { params }) };
    const keep = async (encoding: keyof typeof forms) => {
      const form = forms[encoding];
      if (form.length > size * worthwhile) return null;
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
