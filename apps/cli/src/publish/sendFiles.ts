import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { frameHead, frameHeadLength, type SiteFile } from "@nido/contract";
import type { Client, Parcel } from "../Client.ts";

const parcelBytes = 2 ** 21;
const parcelFiles = 400;
const lanes = 4;

/** Sends what is missing: small files together, several parcels at a time. */
export async function sendFiles(
  client: Client,
  deploy: string,
  folder: string,
  files: SiteFile[],
  onProgress: (part: number) => void,
) {
  const parcels = pack(files);
  const total = files.reduce((sum, { size }) => sum + size, 0) || 1;
  let sent = 0;
  const work = async () => {
    for (let parcel = parcels.pop(); parcel; parcel = parcels.pop()) {
      await client.sendFiles(`/deploys/${deploy}/files`, wrap(folder, parcel));
      sent += parcel.reduce((sum, { size }) => sum + size, 0);
      onProgress(sent / total);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
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
  return {
    length,
    open: () => Buffer.concat(files.flatMap((file) => [frameHead(file), readFileSync(join(folder, file.path))])),
  };
}

async function* stream(folder: string, files: SiteFile[]) {
  for (const file of files) {
    yield frameHead(file);
    yield* createReadStream(join(folder, file.path), { highWaterMark: 2 ** 18 });
  }
}
