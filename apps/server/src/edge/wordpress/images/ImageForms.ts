import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RateLimiter } from "../../../http/RateLimiter.ts";
import { requireRoom } from "../../../platform/requireRoom.ts";
import { imagesFolder } from "../../../wordpress/upkeep/removeOldForms.ts";
import { canConvertImages, convertImage } from "./convertImage.ts";
import type { ImageForm } from "./formFor.ts";

/** How many images of one customer wait for their conversion, and of all. The first of each always does. Others are converted at a later visit. */
const maxWaitingOfOne = 20;
const maxWaiting = 200;
/** Shorter images would hardly become smaller; longer ones are no images for a page. */
const [minBytes, maxBytes] = [4096, 10 * 2 ** 20];

/** Backups and uploads leave one reserve free. A site works without other forms of its images, so they leave more. */
const reserves = 2.5;

/** An image of a site that a visitor asks for. */
interface Asked {
  /** the customer */
  owner: string;
  siteId: string;
  /** names the file with its content */
  version: string;
  size: number;
  form: ImageForm;
  /** undefined if it is gone, or too large */
  read: (maxBytes: number) => Promise<Buffer | undefined>;
}

/** `pending`: it is sent as it is for now. `none`: it always is. */
export type FoundForm = { handle: FileHandle; size: number } | "pending" | "none";

/**
 * WebP and AVIF forms of the images that customers have uploaded, in a folder. Each is made once, after the first visitor
 * has asked for it: one at a time, in turns of the customers. An empty file says that a form would not be smaller.
 */
export class ImageForms {
  private readonly isAble = canConvertImages();
  private readonly folder: string;
  private readonly limiter: RateLimiter;
  private readonly onError: (error: unknown, siteId: string) => void;
  /** by customer, in the order of their turns */
  private readonly waiting = new Map<string, Map<string, Asked>>();
  private isRunning = false;

  constructor(dataDir: string, limiter: RateLimiter, onError: (error: unknown, siteId: string) => void) {
    this.folder = imagesFolder(dataDir);
    this.limiter = limiter;
    this.onError = onError;
  }

  async find(asked: Asked): Promise<FoundForm> {
    if (!this.isAble || asked.size < minBytes || asked.size > maxBytes) return "none";
    const name = nameOf(asked);
    const handle = await open(join(this.folder, asked.siteId, name)).catch(() => undefined);
    if (!handle) {
      this.enqueue(name, asked);
      return "pending";
    }
    const { size } = await handle.stat();
    if (size > 0) return { handle, size };
    await handle.close();
    return "none";
  }

  private enqueue(name: string, asked: Asked) {
    const own = this.waiting.get(asked.owner) ?? new Map<string, Asked>();
    let all = 0;
    for (const { size } of this.waiting.values()) all += size;
    if (own.size >= maxWaitingOfOne || (own.size > 0 && all >= maxWaiting)) return;
    this.waiting.set(asked.owner, own.set(name, asked));
    void this.work();
  }

  private async work() {
    if (this.isRunning) return;
    this.isRunning = true;
    for (;;) {
      const [owner, own] = this.waiting.entries().next().value ?? [];
      const [name, asked] = own?.entries().next().value ?? [];
      if (!owner || !own || !name || !asked) break;
      await this.convert(name, asked).catch((error) => this.onError(error, asked.siteId));
      own.delete(name);
      // The next turn is another customer's.
      this.waiting.delete(owner);
      if (own.size > 0) this.waiting.set(owner, own);
    }
    this.isRunning = false;
  }

  private async convert(name: string, { siteId, size, form, read }: Asked) {
    if (!(await this.limiter.tryTake("imageForms", siteId))) return;
    const folder = join(this.folder, siteId);
    await requireRoom(folder, size, reserves);
    const image = await read(maxBytes);
    // What cannot be converted stays as it is.
    const made = image && (await convertImage(image, form));
    const temporary = join(folder, `${randomUUID()}.new`);
    await writeFile(temporary, made && made.length < size ? made : "", { mode: 0o600 });
    await rename(temporary, join(folder, name));
  }
}

function nameOf({ version, form }: Asked): string {
  return `${createHash("sha256").update(version).digest("hex").slice(0, 40)}.${form}`;
}
