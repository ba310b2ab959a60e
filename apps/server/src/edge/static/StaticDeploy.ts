import { contentTypeOf, type SiteContents, type SiteFileEntry, StaticSite } from "@nido/static-site";
import type { StoredFile } from "../../db/schema.ts";
import type { BlobRow } from "../../deploys/blobs/queries.ts";

/** A deploy as the edge serves it. */
export class StaticDeploy extends StaticSite {
  readonly userId: string;
  readonly isCompressed: boolean;

  constructor({ userId, isCompressed, ...contents }: SiteContents & { userId: string; isCompressed: boolean }) {
    super(contents);
    this.userId = userId;
    this.isCompressed = isCompressed;
  }
}

export function deployFile([path, sha256, size]: StoredFile, blob: BlobRow | undefined): SiteFileEntry {
  const { gzip = null, brotli: br = null } = blob ?? {};
  return { sha256, size, type: contentTypeOf(path), forms: { gzip, br } };
}
