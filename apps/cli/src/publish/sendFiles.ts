import { createReadStream } from "node:fs";
import { join } from "node:path";
import { frameHead, frameHeadLength, type PublishedDeploy, type SiteFile } from "@nido/contract";
import { ApiError, type Client, type Parcel } from "../Client.ts";
import { readInto } from "./readInto.ts";

const parcelBytes = 2 ** 22;
const parcelFiles = 400;
const lanes = 4;

/** Sends what is missing, small files together and several parcels at a time, and has the deploy shown. */
export async function sendFiles(
  client: Client,
  deploy: string,
  folder: string,
  files: SiteFile[],
  onProgress: (part: number) => void,
): Promise<PublishedDeploy> {
  const finish = `/deploys/${deploy}/finish`;
  const parcels = pack(files);
  const [only] = parcels;
  // All in one go: most publications change little.
  if (only && parcels.length === 1) return client.sendFiles("POST", finish, wrap(folder, only));
  const total = files.reduce((sum, { size }) => sum + size, 0) || 1;
  let sent = 0;
  let fault: unknown;
  const work = async () => {
    for (let parcel = parcels.pop(); parcel && !fault; parcel = parcels.pop()) {
      try {
        await client.sendFiles("PUT", `/deploys/${deploy}/files`, wrap(folder, parcel));
      } catch (error) {
        fault ??= error;
        return;
      }
      sent += parcel.reduce((sum, { size }) => sum + size, 0);
      onProgress(sent / total);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
  if (fault) throw fault;
  return client.call("POST", finish);
}

function pack(files: SiteFile[]): SiteFile[][] {
  const parcels: SiteFile[][] = [];
  let parcel: SiteFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (parcel.length > 0 && (bytes + file.size > parcelBytes || parcel.length >= parcelFiles)) {
      parcels.push(parcel);
      [parcel, bytes] = [[], 0];
    }
    parcel.push(file);
    bytes += file.size;
  }
  if (parcel.length > 0) parcels.push(parcel);
  return parcels;
}

function wrap(folder: string, files: SiteFile[]): Parcel {
  const length = files.reduce((sum, { size }) => sum + size + frameHeadLength, 0);
  if (length > 2 * parcelBytes) return { length, open: () => stream(folder, files) };
  return { length, open: () => gather(folder, files, Buffer.allocUnsafe(length)) };
}

function gather(folder: string, files: SiteFile[], bytes: Buffer): Buffer {
  let filled = 0;
  for (const file of files) {
    bytes.set(frameHead(file), filled);
    filled += frameHeadLength;
    if (!read(`${folder}/${file.path}`, bytes.subarray(filled, filled + file.size)))
      throw new ApiError("error_digest_mismatch", file.path);
    filled += file.size;
  }
  return bytes;
}

/** Whether there is such a file, and it has as many bytes as there is place for. */
function read(path: string, place: Buffer): boolean {
  try {
    return readInto(place, path) === place.length;
  } catch {
    return false;
  }
}

async function* stream(folder: string, files: SiteFile[]) {
  for (const file of files) {
    yield frameHead(file);
    let bytes = 0;
    for await (const chunk of createReadStream(join(folder, file.path), { highWaterMark: 2 ** 18 })) {
      bytes += chunk.length;
      if (bytes > file.size) break;
      yield chunk as Buffer;
    }
    // Not what was announced any more: the server would wait for the rest.
    if (bytes !== file.size) throw new ApiError("error_digest_mismatch", file.path);
  }
}
