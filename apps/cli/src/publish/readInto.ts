import { closeSync, openSync, readSync } from "node:fs";

/** Reads a file, as far as there is place for it, and says how many bytes that were. */
export function readInto(place: Buffer, path: string): number {
  const file = openSync(path, "r");
  try {
    let length = 0;
    for (let more = 1; more > 0 && length < place.length; length += more)
      more = readSync(file, place, length, place.length - length, null);
    return length;
  } finally {
    closeSync(file);
  }
}
