import type { Db } from "../db/connect.ts";
import { Batch } from "../platform/Batch.ts";
import { findChallenges } from "./orderQueries.ts";

const challengePath = "/.well-known/acme-challenge/";
const batchDelay = 5;

/** Answers an authority that checks a name (HTTP-01). Any process can answer, whichever one placed the order. */
export class Challenges {
  private readonly batch;

  constructor(db: Db) {
    this.batch = new Batch((tokens) => findChallenges(db, tokens), batchDelay);
  }

  async find(host: string, path: string): Promise<string | undefined> {
    const token = path.slice(challengePath.length);
    if (!path.startsWith(challengePath) || !/^[\w-]{1,200}$/.test(token)) return undefined;
    const challenge = await this.batch.find(token);
    return challenge?.name === host ? challenge.keyAuthorization : undefined;
  }
}
