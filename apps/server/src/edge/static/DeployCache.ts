import { text } from "node:stream/consumers";
import { maxRulesBytes, parseHeaderRules, parseRedirects } from "@nido/contract";
import { LRUCache } from "lru-cache";
import { blobKey } from "../../deploys/blobs/BlobStore.ts";
import { findBlobs } from "../../deploys/blobs/queries.ts";
import type { Deploys } from "../../deploys/Deploys.ts";
import { findFiles, findFinishedAt } from "../../deploys/queries.ts";
import type { DeployVersion } from "../../domains/findSite.ts";
import { OwnerShares } from "../../platform/OwnerShares.ts";
import { deployFile, StaticDeploy } from "./StaticDeploy.ts";

/** The limit for all cached deploys together, in units of one file. */
const maxWeight = 500_000;
/** One customer's part of it: at least one deploy with the most files possible. */
const maxWeightOfOne = 150_000;

interface Source extends DeployVersion {
  userId: string;
}

/** The file lists of recently visited deploys: an LRU cache with single-flight reads. */
export class DeployCache {
  private readonly deploys: Deploys;
  private readonly cache: LRUCache<string, StaticDeploy, Source>;

  constructor(deploys: Deploys) {
    this.deploys = deploys;
    const shares = new OwnerShares<StaticDeploy>({
      share: maxWeightOfOne,
      sizeOf: ({ weight }) => weight,
      ownerOf: ({ userId }) => userId,
    });
    this.cache = new LRUCache({
      maxSize: maxWeight,
      sizeCalculation: shares.sizeCalculation,
      dispose: shares.dispose,
      // Evicting an entry must not fail the visitor who waits for it.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.read(context),
    });
    shares.attach(this.cache);
  }

  /** From memory only. */
  peek({ deployId, isCompressed }: DeployVersion): StaticDeploy | undefined {
    const deploy = this.cache.get(deployId);
    // A deploy that was read before its files were compressed is read again.
    return deploy && (deploy.isCompressed || !isCompressed) ? deploy : undefined;
  }

  async find(version: DeployVersion, userId: string): Promise<StaticDeploy> {
    const context = { ...version, userId };
    return this.peek(version) ?? this.cache.forceFetch(version.deployId, { context, forceRefresh: true });
  }

  private async read({ deployId, isCompressed, userId }: Source): Promise<StaticDeploy> {
    const { db } = this.deploys;
    const publishedAt = await findFinishedAt(db, deployId);
    const stored = await findFiles(db, deployId);
    const digests = [...new Set(stored.map(([, sha256]) => sha256))];
    const blobs = new Map((await findBlobs(db, userId, digests)).map((blob) => [blob.sha256, blob]));
    const files = new Map(
      stored.map((file) => {
        const [path, sha256] = file;
        return [path, deployFile(file, blobs.get(sha256))];
      }),
    );
    const readRules = async (name: string) => {
      const file = files.get(name);
      if (!file || file.size > maxRulesBytes) return "";
      return text(await this.deploys.store.read(blobKey(userId, file.sha256)));
    };
    const { rules: redirects } = parseRedirects(await readRules("_redirects"));
    const { rules: headerRules } = parseHeaderRules(await readRules("_headers"));
    return new StaticDeploy({ userId, isCompressed, publishedAt, files, redirects, headerRules });
  }
}
