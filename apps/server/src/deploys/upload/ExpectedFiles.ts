import { filesPerDeploy, type SiteFile } from "@nido/contract";
import { AppError } from "../../platform/AppError.ts";
import type { Releases } from "../Deploys.ts";
import { findOwnFiles } from "../queries.ts";

/** The sizes of a deploy's files, by digest. */
export type Wanted = Map<string, number>;

/** Of all deploys together. */
const digestsRemembered = 2 * filesPerDeploy;

/** Read once for all that is sent for a deploy: its files never change. */
export function remember(
  { announced }: Releases,
  userId: string,
  deployId: string,
  files: Pick<SiteFile, "sha256" | "size">[],
): Wanted {
  const wanted = new Map(files.map(({ sha256, size }) => [sha256, size]));
  announced.set(deployId, { userId, wanted });
  let digests = [...announced.values()].reduce((sum, one) => sum + one.wanted.size, 0);
  for (const [id, one] of announced) {
    if (digests <= digestsRemembered) break;
    announced.delete(id);
    digests -= one.wanted.size;
  }
  return wanted;
}

/** What a deploy of this customer's consists of. */
export async function findWanted(releases: Releases, userId: string, deployId: string): Promise<Wanted> {
  const known = releases.announced.get(deployId);
  if (known?.userId === userId) return known.wanted;
  const files = await findOwnFiles(releases.db, userId, deployId);
  if (!files) throw new AppError("error_deploy_not_found");
  return remember(
    releases,
    userId,
    deployId,
    files.map(([, sha256, size]) => ({ sha256, size })),
  );
}
