import type { EventEmitter } from "node:events";

const maxBytes = 256 * 2 ** 20;
/** One customer's part of it. */
const maxBytesOfOne = maxBytes / 4;

/**
 * Counts the memory of responses that slow visitors have not received yet. Each response holds a copy of the file,
 * at the latest once it is encrypted. Beyond the limit, files are streamed from the store.
 */
export class FilesInUse {
  private readonly bytesOf = new Map<string, number>();
  private bytes = 0;

  /** Whether another file of this customer may be sent from memory. */
  hasRoom(userId: string): boolean {
    return this.bytes < maxBytes && (this.bytesOf.get(userId) ?? 0) < maxBytesOfOne;
  }

  /** Counts a response until it has been sent, or given up. */
  add(userId: string, bytes: number, response: EventEmitter, sent: "drain" | "close") {
    this.count(userId, bytes);
    let isOver = false;
    const release = () => {
      if (isOver) return;
      isOver = true;
      response.off("close", release).off(sent, release);
      this.count(userId, -bytes);
    };
    response.once("close", release);
    if (sent !== "close") response.once(sent, release);
  }

  private count(userId: string, bytes: number) {
    const total = (this.bytesOf.get(userId) ?? 0) + bytes;
    this.bytes += bytes;
    if (total > 0) this.bytesOf.set(userId, total);
    else this.bytesOf.delete(userId);
  }
}
