import { AppError } from "../../platform/AppError.ts";

/** A body of more bytes, or of unknown length, needs a slot. */
const largeBytes = 2 ** 20;
const maxAtOnce = 4;

/** Limits the large plans whose bodies are in memory: one of a customer at a time, and a few in all. */
export class PlanSlots {
  private readonly holders = new Set<string>();

  /** Takes a slot for a body of this length; throws if there is none. Returns the function that gives it back. */
  take(userId: string, length: number | undefined): () => void {
    if (length !== undefined && length <= largeBytes) return () => undefined;
    if (this.holders.has(userId) || this.holders.size >= maxAtOnce) throw new AppError("error_too_many_requests");
    this.holders.add(userId);
    return () => void this.holders.delete(userId);
  }
}
