import { closeSync, openSync, readSync } from "node:fs";

/** Fills the buffer from the start of a file. Returns the number of bytes read, which is less for a shorter file. */
export function readIntoBuffer(buffer: Buffer, path: string): number {
  const file = openSync(path, "r");
  try {
    let length = 0;
    for (let read = 1; read > 0 && length < buffer.length; length += read)
      read = readSync(file, buffer, length, buffer.length - length, null);
    return length;
  } finally {
    closeSync(file);
  }
}
