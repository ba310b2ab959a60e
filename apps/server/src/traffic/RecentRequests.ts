import type { LoggedRequest, RequestSource } from "@nido/contract";
import { LRUCache } from "lru-cache";

/** Each site has its share of the memory. All together: 50,000 requests, some 15 MB. */
const requestsPerSite = 100;
const maxSites = 500;
const maxAgeMs = 10 * 60_000;
const maxPathLength = 200;

interface Entry {
  sequence: number;
  at: number;
  method: string;
  path: string;
  status: number;
  bytes: number;
  cache: RequestSource;
}

export type Noted = Omit<Entry, "sequence" | "at">;

export type NumberedRequest = LoggedRequest & { sequence: number };

interface Ring {
  entries: Entry[];
  /** Of the last request. It counts from the time at which the ring was made, so it also grows if the ring was forgotten. */
  sequence: number;
}

/** The last requests to each site that this process answered. */
export class RecentRequests {
  private readonly sites = new LRUCache<string, Ring>({ max: maxSites });

  /** `path` is from `loggedPath`. On the fast path: it must cost next to nothing. */
  note(siteId: string, { path, method, status, bytes, cache }: Noted) {
    const ring = this.of(siteId);
    const sequence = ++ring.sequence;
    const entry = { sequence, at: Date.now(), method, path, status, bytes, cache };
    ring.entries[sequence % requestsPerSite] = entry;
  }

  /** The requests to a site after this one, the oldest first. */
  after(siteId: string, sequence: number): NumberedRequest[] {
    const oldest = Date.now() - maxAgeMs;
    const { entries: all = [] } = this.sites.peek(siteId) ?? {};
    const entries = all.filter((entry) => entry.sequence > sequence && entry.at > oldest);
    entries.sort((one, other) => one.sequence - other.sequence);
    return entries.map(({ at, path, ...rest }) => ({ at: new Date(at).toISOString(), ...rest, path: printable(path) }));
  }

  /** Frees the memory of sites that nobody has asked for. Called at intervals. */
  forgetOld() {
    const oldest = Date.now() - maxAgeMs;
    for (const [siteId, { entries }] of this.sites.entries())
      if (entries.every(({ at }) => at < oldest)) this.sites.delete(siteId);
  }

  private of(siteId: string): Ring {
    const known = this.sites.get(siteId);
    if (known) return known;
    const ring = { entries: [], sequence: Date.now() * 1000 };
    this.sites.set(siteId, ring);
    return ring;
  }
}

const scratch = Buffer.alloc(maxPathLength);

/** The part of a URL that is logged. A copy: a part of a string would keep the whole head of the request in memory. */
export function loggedPath(url: string): string {
  const query = url.indexOf("?");
  const length = scratch.write(query < 0 ? url : url.slice(0, query), "latin1");
  return scratch.toString("latin1", 0, length);
}

/** Visitors choose the path, and owners print it in a terminal. */
function printable(path: string): string {
  return path.replace(
    /[^\x21-\x7e]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}
