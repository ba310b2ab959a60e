import { Transform } from "node:stream";

/** Why a request's body is refused, as an HTTP status: 408 too slow, 413 too large, 429 too many at once, 503 full. */
export class BodyRefused extends Error {
  override name = "BodyRefused";
  readonly status: 408 | 413 | 429 | 503;

  constructor(status: BodyRefused["status"]) {
    super(`the request body was refused with ${status}`);
    this.status = status;
  }
}

const megabyte = 2 ** 20;
/** PHP accepts uploads of 64 MB. The form around them takes some more. */
export const maxBodyBytes = 66 * megabyte;
/** One customer or one address can upload two large files at once, in each process. */
const maxBytesOfOne = 2 * maxBodyBytes;
/** The first bytes of each body do not count: small forms pass while large uploads have to wait. */
const freeBytes = megabyte;
/** If fewer bytes than this arrive in one interval, the connection is dead, or is held open on purpose. */
const minBytesPerInterval = 20_000;
const intervalMs = 20_000;

/** How many bodies one address, and all sites of one customer, can have at once: even small ones take memory. */
const maxBodies = { address: 64, owner: 256 };

interface Sender {
  /** the site's customer */
  owner: string;
  address: string;
}

/**
 * Limits the request bodies that are on their way to PHP. PHP needs the whole body, so each is held until PHP has
 * answered. Without a limit, a few slow senders could fill the memory that the sites of all customers share.
 */
export class UploadBudget {
  private readonly maxBytes: number;
  private readonly heldBy = new Map<string, number>();
  private readonly bodiesOf = new Map<string, number>();
  private held = 0;

  /** `maxBytes`: for all bodies of this process together */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** A stream that passes a body on while it is within all limits. `release` gives its bytes back, once PHP has answered. */
  open({ owner, address }: Sender) {
    const holders = [`owner ${owner}`, `address ${address}`];
    let [size, counted, beforeInterval] = [0, 0, 0];
    if (
      (this.bodiesOf.get(`owner ${owner}`) ?? 0) >= maxBodies.owner ||
      (this.bodiesOf.get(`address ${address}`) ?? 0) >= maxBodies.address
    )
      throw new BodyRefused(429);
    for (const holder of holders) increase(this.bodiesOf, holder, 1);
    let isOpen = true;
    const counter = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        size += chunk.length;
        const added = Math.max(size - freeBytes, 0) - counted;
        const refusal = size > maxBodyBytes ? 413 : this.refusalOf(holders, added);
        if (refusal) return done(new BodyRefused(refusal));
        counted += added;
        this.add(holders, added);
        done(null, chunk);
      },
      flush: (done) => {
        clearInterval(timer);
        done();
      },
    });
    const timer = setInterval(() => {
      if (size - beforeInterval < minBytesPerInterval) counter.destroy(new BodyRefused(408));
      beforeInterval = size;
    }, intervalMs);
    counter.once("close", () => clearInterval(timer));
    const release = () => {
      if (!isOpen) return;
      isOpen = false;
      this.add(holders, -counted);
      for (const holder of holders) increase(this.bodiesOf, holder, -1);
    };
    return { counter, release };
  }

  private refusalOf(holders: string[], bytes: number): 429 | 503 | undefined {
    if (bytes === 0) return undefined;
    if (holders.some((holder) => (this.heldBy.get(holder) ?? 0) + bytes > maxBytesOfOne)) return 429;
    return this.held + bytes > this.maxBytes ? 503 : undefined;
  }

  private add(holders: string[], bytes: number) {
    this.held += bytes;
    for (const holder of holders) increase(this.heldBy, holder, bytes);
  }
}

/** Changes a count; one that reaches 0 is removed. */
function increase(counts: Map<string, number>, key: string, change: number) {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
