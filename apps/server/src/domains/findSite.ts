import { and, between, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db } from "../db/connect.ts";
import {
  branches,
  deploys,
  domains,
  projects,
  type ReplacedDeploy,
  sitePasswords,
  users,
  wordpressSites,
} from "../db/schema.ts";
import { idsOf } from "./deployAddress.ts";
import { isServed, primaryDomain } from "./servedDomains.ts";

/** A deploy, before or after its files were compressed. */
export interface DeployVersion {
  deployId: string;
  isCompressed: boolean;
}

/** The deploy at a permanent address, and the branch that it was published to. */
export interface LabelledDeploy extends DeployVersion {
  branch: string;
}

/** The deploy that a branch of a static site shows. */
export interface ShownBranch extends DeployVersion {
  /** the deploys that it showed within the last day, the newest first */
  replaced: ReplacedDeploy[];
}

export type SiteEntry = NonNullable<Awaited<ReturnType<typeof findSite>>>;

const target = alias(domains, "target");

/** Changes whenever the rules do; null: there are none. */
export const rulesVersion = sql<string | null>`md5(${wordpressSites.rules}::text)`;

/** The site at {name}.SITES_DOMAIN or at a customer's own host. Project names have no dot, hosts have one. */
export async function findSite(db: Db, address: string) {
  const isHost = address.includes(".");
  const [row] = await db
    .select({
      id: projects.id,
      userId: projects.userId,
      name: projects.name,
      stagingOf: projects.stagingOf,
      recipe: projects.recipe,
      status: projects.status,
      diskUsed: projects.diskUsed,
      hasHsts: projects.hasHsts,
      lang: users.lang,
      core: wordpressSites.core,
      php: wordpressSites.php,
      runtime: wordpressSites.runtime,
      isMoving: wordpressSites.isMoving,
      isMaintained: wordpressSites.isMaintained,
      username: wordpressSites.username,
      rules: rulesVersion,
      primary: primaryDomain(),
      branches: shownBranches(),
      passwords: passwordHashes(),
      /** of the customer's own host */
      branch: domains.branch,
      redirectsTo: redirectTarget(),
    })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.userId))
    .leftJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .leftJoin(domains, and(eq(domains.projectId, projects.id), eq(domains.domain, isHost ? address : ""), isServed()))
    .where(and(isHost ? isNotNull(domains.id) : eq(projects.name, address), isNull(projects.archivedAt)));
  return row;
}

/** The finished deploy of a project that this label stands for. */
export async function findLabelled(db: Db, projectId: string, label: string): Promise<LabelledDeploy | undefined> {
  const ids = idsOf(label);
  if (!ids) return undefined;
  const [row] = await db
    .select({
      deployId: deploys.id,
      branch: deploys.branch,
      isCompressed: sql<boolean>`${isNotNull(deploys.compressedAt)}`,
    })
    .from(deploys)
    .where(and(between(deploys.id, ...ids), eq(deploys.projectId, projectId), isNotNull(deploys.finishedAt)));
  return row;
}

/** The host that this domain redirects to, once that one is served too. */
function redirectTarget() {
  return sql<string | null>`(select ${target.domain} from ${domains} target
    where ${eq(target.projectId, projects.id)} and ${eq(target.domain, domains.redirectsTo)} and ${isServed(target)})`;
}

/** By branch; an empty name stands for the whole site. */
function passwordHashes() {
  return sql<
    Record<string, string>
  >`(select coalesce(json_object_agg(${sitePasswords.branch}, ${sitePasswords.hash}), '{}')
    from ${sitePasswords} where ${eq(sitePasswords.projectId, projects.id)})`;
}

function shownBranches() {
  return sql<Record<string, ShownBranch>>`(select coalesce(json_object_agg(${branches.name}, json_build_object(
    'deployId', ${deploys.id}, 'isCompressed', ${isNotNull(deploys.compressedAt)}, 'replaced', ${branches.replaced})), '{}')
    from ${branches} join ${deploys} on ${eq(deploys.id, branches.deployId)}
    where ${eq(branches.projectId, projects.id)})`;
}
