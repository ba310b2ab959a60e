import { text } from "node:stream/consumers";
import { parseHeaderRules, parseRedirects } from "@nido/contract";
import { blobKey } from "../../deploys/blobs/BlobStore.ts";
import type { Releases } from "../../deploys/Deploys.ts";
import { findBlobs, findFiles } from "../../deploys/queries.ts";
import { Release, releaseFile } from "./StaticDeploy.ts";

const mostWeight = 500_000;
const longestRules = 2 ** 18;

/** The releases that visitors asked for lately, read once each. */
export class ReleaseStore {
  private readonly releases: Releases;
  private readonly kept = new Map<string, Release>();
  private readonly reading = new Map<string, Promise<Release>>();
  private weight = 0;

  constructor(releases: Releases) {
    this.releases = releases;
  }

  /** What is known without asking. */
  peek(version: string): Release | undefined {
    return this.kept.get(version);
  }

  /** `version` tells a deploy before its files were compressed from the same one after. */
  async find(version: string, userId: string): Promise<Release> {
    const kept = this.kept.get(version);
    if (kept) {
      // Last in the map is last used.
      this.kept.delete(version);
      this.kept.set(version, kept);
      return kept;
    }
    const reading =
      this.reading.get(version) ??
      this.read(version, userId)
        .then((release) => this.keep(version, release))
        .finally(() => this.reading.delete(version));
    this.reading.set(version, reading);
    return reading;
  }

  private async read(version: string, userId: string): Promise<Release> {
    const { db } = this.releases;
    const [id = ""] = version.split(" ");
    const stored = await findFiles(db, id);
    const digests = [...new Set(stored.map(([, sha256]) => sha256))];
    const blobs = new Map((await findBlobs(db, userId, digests)).map((blob) => [blob.sha256, blob]));
    const files = new Map(
      stored.map(([path, sha256, size]) => {
        const { gzip = null, brotli: br = null } = blobs.get(sha256) ?? {};
        return [path, releaseFile(path, sha256, size, { gzip, br })];
      }),
    );
    const rules = async (name: string) => {
      const file = files.get(name);
      if (!file || file.size > longestRules) return "";
      return text(await this.releases.store.read(blobKey(userId, file.sha256)));
    };
    const { rules: redirects } = parseRedirects(await rules("_redirects"));
    const { rules: headerRules } = parseHeaderRules(await rules("_headers"));
    return new Release({ userId, files, redirects, headerRules });
  }

  private keep(version: string, release: Release): Release {
    this.kept.set(version, release);
    this.weight += release.weight;
    for (const [oldest, { weight }] of this.kept) {
      if (this.weight <= mostWeight || oldest === version) break;
      this.kept.delete(oldest);
      this.weight -= weight;
    }
    return release;
  }
}
