import type { EventEmitter } from "node:events";
import { blobOwner } from "../../deploys/blobs/BlobStore.ts";

interface Use {
  readers: number;
  bytes: number;
}

const maxBytes = 256 * 2 ** 20;
/** One customer's part of it. */
const maxBytesOfOne = maxBytes / 4;

/**
 * The files that slow visitors are still downloading. They stay in memory even after the cache has evicted them, so their
 * number is limited, too.
 */
export class FilesInUse {
  private readonly uses = new Map<string, Use>();
  private readonly bytesOf = new Map<string, number>();
  private bytes = 0;

  /** Whether another file of this customer may be sent from memory. A file in use already may always be. */
  hasRoom(key: string): boolean {
    if (this.uses.has(key)) return true;
    return this.bytes < maxBytes && (this.bytesOf.get(blobOwner(key)) ?? 0) < maxBytesOfOne;
  }

  /** Counts a file until the response has been sent, or given up. */
  add(key: string, bytes: number, response: EventEmitter, sent: "drain" | "close") {
    const use = this.uses.get(key) ?? { readers: 0, bytes };
    if (use.readers++ === 0) this.count(key, bytes);
    this.uses.set(key, use);
    let isOver = false;
    const release = () => {
      if (isOver) return;
      isOver = true;
      response.off("close", release).off(sent, release);
      if (--use.readers > 0) return;
      this.uses.delete(key);
      this.count(key, -bytes);
    };
    response.once("close", release);
    if (sent !== "close") response.once(sent, release);
  }

  private count(key: string, bytes: number) {
    const owner = blobOwner(key);
    const total = (this.bytesOf.get(owner) ?? 0) + bytes;
    this.bytes += bytes;
    if (total > 0) this.bytesOf.set(owner, total);
    else this.bytesOf.delete(owner);
  }
}
