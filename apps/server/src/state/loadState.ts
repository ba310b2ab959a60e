import type { CustomerState } from "@nido/contract";
import { and, eq, isNull, sql } from "drizzle-orm";
import { presentUser } from "../account/presentUser.ts";
import { disputeOf } from "../billing/disputes.ts";
import { type PurchaseRow, presentPurchase } from "../billing/presentPurchase.ts";
import { presentSubscription, type SubscriptionRow } from "../billing/presentSubscription.ts";
import type { Db, Tx } from "../db/connect.ts";
import {
  activity,
  backups,
  branches,
  certificates,
  checkouts,
  deploys,
  domains,
  pictures,
  projects,
  sitePasswords,
  subscriptions,
  tasks,
  users,
  wordpressSites,
} from "../db/schema.ts";
import { allowedBytes } from "../deploys/storage.ts";
import { hadOtherHolders } from "../domains/queries.ts";
import { isServed } from "../domains/servedDomains.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { type ProjectRow, presentProject } from "./presentProject.ts";

const deploysShown = 50;

/** Everything the customer's dashboard holds, in one round trip; undefined if the account does not exist. */
export async function loadState(db: Db | Tx, userId: string, sites: SiteAddresses): Promise<CustomerState | undefined> {
  const [row] = await db
    .select({
      user: users,
      projects: ownProjects(),
      subscriptions: ownSubscriptions(),
      purchases: pendingPurchases(),
      activity: latestActivity(),
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!row) return undefined;
  const storage = { used: row.user.storedBytes, allowed: allowedBytes(row.projects.map(({ recipe }) => recipe)) };
  return {
    rev: row.user.rev,
    user: presentUser(row.user),
    projects: byId(row.projects.map((project) => presentProject(project, storage, userId, sites))),
    subscriptions: byId(row.subscriptions.map(presentSubscription)),
    purchases: Object.fromEntries(row.purchases.map(presentPurchase)),
    activity: row.activity,
  };
}

function ownProjects() {
  const ownDomains = sql`(select coalesce(json_agg(json_build_object('id', ${domains.id}, 'name', ${domains.name},
    'domain', ${domains.domain}, 'branch', ${domains.branch}, 'status', ${domains.status}, 'redirectsTo', ${domains.redirectsTo},
    'isPrimary', ${domains.isPrimary}, 'seen', ${domains.seen}, 'reason', ${domains.reason}, 'checkedAt', ${domains.checkedAt}, 'hadOtherHolders', ${hadOtherHolders},
    'certificate', (select json_build_object('notAfter', ${certificates.notAfter}, 'problem', ${certificates.problem})
      from ${certificates} where ${eq(certificates.name, domains.domain)} and ${isServed()}))
    order by ${domains.createdAt}), '[]')
    from ${domains} where ${eq(domains.projectId, projects.id)})`;
  const progress = sql`(select ${tasks.progress} -> -1 from ${tasks} join ${wordpressSites} on ${eq(wordpressSites.taskId, tasks.id)}
    where ${and(eq(wordpressSites.projectId, projects.id), eq(projects.status, "provisioning"))})`;
  const backedUpAt = sql`(select nullif(greatest(${wordpressSites.backedUpAt}, (select max(${backups.createdAt}) from ${backups}
    where ${eq(backups.projectId, projects.id)})), to_timestamp(0)) from ${wordpressSites} where ${eq(wordpressSites.projectId, projects.id)})`;
  const work = sql`(select ${wordpressSites.work} from ${wordpressSites} where ${eq(wordpressSites.projectId, projects.id)})`;
  const staging = sql`(select json_build_object('id', copy.id, 'name', copy.name, 'copiedAt', ${wordpressSites.copiedAt})
    from ${projects} copy join ${wordpressSites} on ${wordpressSites.projectId} = copy.id where copy.staging_of = ${projects.id})`;
  const passwords = sql`(select coalesce(json_agg(${sitePasswords.branch} order by ${sitePasswords.branch}), '[]')
    from ${sitePasswords} where ${eq(sitePasswords.projectId, projects.id)})`;
  const pictureAt = sql`(select ${pictures.takenAt} from ${pictures} where ${eq(pictures.projectId, projects.id)})`;
  // The newest finished deploys, and unfinished uploads of the last hour.
  const ownDeploys = sql`(select coalesce(json_agg(json_build_object('id', d.id, 'branch', d.branch, 'message', d.message,
    'createdAt', d.created_at, 'finishedAt', d.finished_at, 'files', d.file_count, 'size', d.size, 'missing', d.missing,
    'received', d.received, 'added', d.added, 'changed', d.changed, 'removed', d.removed, 'findings', d.findings, 'author', d.author) order by d.created_at desc), '[]') from (select * from ${deploys} d where d.project_id = ${projects.id}
    and (d.finished_at is not null or d.created_at > now() - interval '1 hour') order by d.created_at desc limit ${deploysShown}) d)`;
  const previous = sql`(select ${deploys.id} from unnest(${branches.history}) with ordinality as shown (id, place)
    join ${deploys} on ${deploys.id} = shown.id order by place desc limit 1)`;
  const ownBranches = sql`(select coalesce(json_agg(json_build_object('name', ${branches.name}, 'deployId', ${branches.deployId},
    'previousId', ${previous}, 'changedAt', ${branches.changedAt})
    order by ${branches.name}), '[]') from ${branches} where ${eq(branches.projectId, projects.id)})`;
  return sql<ProjectRow[]>`(select coalesce(json_agg(json_build_object('id', ${projects.id}, 'name', ${projects.name},
    'recipe', ${projects.recipe}, 'recipeId', ${projects.recipeId}, 'subId', ${projects.subId},
    'status', ${projects.status}, 'diskUsed', ${projects.diskUsed}, 'hasHsts', ${projects.hasHsts}, 'passwords', ${passwords}, 'progress', ${progress}, 'backedUpAt', ${backedUpAt}, 'pictureAt', ${pictureAt}, 'work', ${work}, 'staging', ${staging}, 'domains', ${ownDomains},
    'deploys', ${ownDeploys}, 'branches', ${ownBranches}) order by ${projects.createdAt}), '[]')
    from ${projects} where ${and(eq(projects.userId, users.id), isNull(projects.archivedAt), isNull(projects.stagingOf))})`;
}

function ownSubscriptions() {
  const seconds = (moment: unknown) => sql`extract(epoch from ${moment})::bigint`;
  return sql<SubscriptionRow[]>`(select coalesce(json_agg(json_build_object('id', ${subscriptions.id},
    'amount', ${subscriptions.amount}, 'currency', ${subscriptions.currency}, 'interval', ${subscriptions.interval},
    'createdAt', ${seconds(subscriptions.createdAt)}, 'periodStart', ${seconds(subscriptions.periodStart)},
    'periodEnd', ${seconds(subscriptions.periodEnd)}, 'cancelAtPeriodEnd', ${subscriptions.cancelAtPeriodEnd},
    'trialEndsAt', ${seconds(subscriptions.trialEndsAt)}, 'pastDueSince', ${subscriptions.pastDueSince},
    'paymentStep', ${subscriptions.paymentStep}, 'dispute', ${disputeOf}) order by ${subscriptions.createdAt}), '[]')
    from ${subscriptions} where ${and(eq(subscriptions.userId, users.id), isNull(subscriptions.cancelledAt))})`;
}

/** Purchases whose payment takes days. */
function pendingPurchases() {
  return sql<
    PurchaseRow[]
  >`(select coalesce(json_agg(json_build_object('id', ${checkouts.id}, 'name', ${checkouts.name},
    'recipe', ${checkouts.recipe}, 'since', ${checkouts.processingSince}, 'taskId', ${checkouts.taskId}) order by ${checkouts.createdAt}), '[]')
    from ${checkouts} where ${and(eq(checkouts.userId, users.id), eq(checkouts.state, "processing"))})`;
}

function latestActivity() {
  return sql<number>`(select coalesce(max(${activity.id}), 0) from ${activity} where ${eq(activity.userId, users.id)})`.mapWith(
    Number,
  );
}

function byId<Item extends { id: string }>(items: Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item) => [item.id, item]));
}
