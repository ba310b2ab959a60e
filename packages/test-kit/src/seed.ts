import { randomBytes } from "node:crypto";
import type { Language, Recipe, Task } from "@nido/contract";
import { findCredentials, findUser, lockUser } from "@nido/server/account/queries";
import { suspendOverdueJob } from "@nido/server/billing/jobs";
import { insertSubscription } from "@nido/server/billing/queries";
import { createCliToken } from "@nido/server/cli/accessTokens";
import { announceChange } from "@nido/server/db/announceChange";
import { connect, type Db } from "@nido/server/db/connect";
import { checkouts, type StoredFile } from "@nido/server/db/schema";
import { type DomainChange, insertDomain } from "@nido/server/domains/queries";
import { enqueue } from "@nido/server/jobs/enqueue";
import { insertProject } from "@nido/server/projects/queries";
import { insertEarning } from "@nido/server/referrals/queries";
import { insertTask, updateTask } from "@nido/server/tasks/queries";
import { provisionWordPressJob } from "@nido/server/wordpress/jobs";
import { sql } from "drizzle-orm";
import { waitUntil } from "./waitUntil.ts";

interface Options {
  recipe?: Recipe;
  status?: "provisioning" | "active" | "suspended" | "failed";
  amount?: number;
  currency?: string;
  interval?: "month" | "year";
  /** a payment has been owed for a day */
  isPastDue?: boolean;
  /** what it waits for */
  paymentStep?: "confirm" | "processing";
  /** nothing has been paid yet */
  isTrial?: boolean;
  /** the subscription ends with its period */
  isEnding?: boolean;
}

/** A project with its subscription, as after a purchase. */
export async function addProject(db: Db, userId: string, name: string, options: Options = {}): Promise<string> {
  const {
    recipe = "wordpress_starter",
    status = "active",
    amount = 5900,
    currency = "eur",
    interval = "year",
    isPastDue = false,
    paymentStep = null,
    isTrial = false,
    isEnding: cancelAtPeriodEnd = false,
  } = options;
  return db.transaction(async (tx) => {
    const subId = `sub_sandbox${randomBytes(8).toString("hex")}`;
    const start = new Date("2026-01-15T12:00:00Z");
    const end = new Date(interval === "year" ? "2027-01-15T12:00:00Z" : "2026-02-15T12:00:00Z");
    const owed = isPastDue ? { pastDueSince: new Date(Date.now() - 86_400_000), paymentStep } : {};
    const period = { createdAt: start, periodStart: start, periodEnd: end };
    await insertSubscription(tx, {
      id: subId,
      userId,
      amount,
      currency,
      interval,
      cancelAtPeriodEnd,
      ...period,
      ...owed,
      trialEndsAt: isTrial ? end : null,
    });
    const id = await insertProject(tx, { userId, name, recipe, recipeId: `prod_${recipe}`, subId, status });
    if (!id) throw new Error(`${name} is taken`);
    await announceChange(tx, userId);
    return id;
  });
}

/** Adds a paid WordPress project, and the job that provisions it. */
export async function orderWordPress(
  db: Db,
  userId: string,
  name: string,
  recipe: Recipe = "wordpress_starter",
  lang: Language = "es",
) {
  const projectId = await addProject(db, userId, name, { recipe, status: "provisioning" });
  return db.transaction(async (tx) => {
    const taskId = await insertTask(tx, userId, { state: "pending", progress: [] });
    const order = { projectId, taskId, username: "lucia", lang };
    await enqueue(tx, provisionWordPressJob, order);
    return order;
  });
}

/** Seeds the database of a running product for the customer with this e-mail. For browser tests. */
export async function openSeed(databaseUrl: string, email: string) {
  const db = connect(databaseUrl);
  const credentials = await findCredentials(db, email);
  const user = credentials && (await findUser(db, credentials.id));
  if (!user) throw new Error(`There is no customer ${email}`);
  return {
    addProject: (name: string, options?: Options) => addProject(db, user.id, name, options),
    /** Adds a domain that is not due for a DNS check, so it stays as it is. */
    addDomain: (projectId: string, domain: string, change: DomainChange = {}) =>
      db.transaction(async (tx) => {
        const nextCheckAt = new Date(Date.now() + 86_400_000);
        await insertDomain(tx, { projectId, name: domain, domain, nextCheckAt, ...change });
        await announceChange(tx, user.id);
      }),
    /** Adds a purchase whose payment takes days. */
    addPendingPurchase: (name: string) =>
      db.transaction(async (tx) => {
        await tx.insert(checkouts).values({
          userId: user.id,
          name,
          state: "processing",
          planId: "price_seed",
          recipeId: "prod_static_starter",
          recipe: "static_starter",
          username: "",
          locale: "es",
          promo: "",
          expiresAt: new Date(Date.now() + 86_400_000),
          processingSince: new Date(),
        });
        await announceChange(tx, user.id);
      }),
    /** The bank disputes the payment for a project. */
    addDispute: (projectId: string) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into disputes (id, sub_id, invoice_id, amount, currency, reason, state, created_at)
          select 'dp_' || id, sub_id, 'in_seed', 5900, 'eur', 'fraudulent', 'open', now() from projects where id = ${projectId}`);
        await tx.execute(sql`update projects set status = 'suspended' where id = ${projectId}`);
        await announceChange(tx, user.id);
      }),
    /** The customer has left the payment page open for too long. */
    expireCheckouts: () =>
      db.$client.query("update checkouts set state = 'expired' where user_id = $1 and state = 'open'", [user.id]),
    addTask: (task: Task) => db.transaction((tx) => insertTask(tx, user.id, task)),
    setTask: (id: string, task: Task) => db.transaction((tx) => updateTask(tx, id, task)),
    /** Provisions a WordPress site. Returns the milliseconds until it was installed and until its pages answered. */
    makeWordPress: async (name: string, recipe: Recipe = "wordpress_starter") => {
      const { taskId } = await orderWordPress(db, user.id, name, recipe, "en");
      const moments = { began: 0, installed: 0, done: 0 };
      const observe = async (): Promise<Task> => {
        const { rows } = await db.$client.query("select state, progress from tasks where id = $1", [taskId]);
        return rows[0];
      };
      const isCompleted = ({ state, progress }: Task) => {
        const now = performance.now();
        if (state !== "pending") moments.began ||= now;
        if (progress.some(({ message }) => message === "wordpress_ready")) moments.installed ||= now;
        if (state === "completed") moments.done = now;
        if (state === "failed") throw new Error(`The WordPress site ${name} could not be provisioned`);
        return state === "completed";
      };
      await waitUntil(`the WordPress ${name} is made`, observe, isCompleted, { intervalMs: 5 });
      return { installed: moments.installed - moments.began, done: moments.done - moments.began };
    },
    /** What a WordPress site has used, as after a month. */
    setUse: (projectId: string, { disk, memory }: { disk: number; memory: number }) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`update subscriptions set created_at = now() - interval '30 days'
          where id = (select sub_id from projects where id = ${projectId})`);
        await tx.execute(sql`update projects set disk_used = ${disk} where id = ${projectId}`);
        await tx.execute(
          sql`update wordpress_sites set memory_peak = ${memory * 2 ** 20} where project_id = ${projectId}`,
        );
        await announceChange(tx, user.id);
      }),
    /** A payment has been owed for longer than the grace period, and the job that suspends has run. */
    endGrace: (projectId: string) =>
      db.transaction(async (tx) => {
        await lockUser(tx, user.id);
        await tx.execute(sql`update subscriptions set past_due_since = now() - interval '8 days'
          where id = (select sub_id from projects where id = ${projectId})`);
        await enqueue(tx, suspendOverdueJob, {});
      }),
    /** Counts this many bytes as stored by the customer's deploys. */
    setStoredBytes: (bytes: number) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`update users set stored_bytes = ${bytes} where id = ${user.id}`);
        await announceChange(tx, user.id);
      }),
    refcode: user.refcode,
    /** Adds the staging copy of a project, without a site behind it. */
    addStaging: async (projectId: string) => {
      const columns = "user_id, name, recipe, recipe_id, sub_id, status, staging_of";
      await db.$client.query(
        `with copy as (insert into projects (${columns})
           select user_id, 'staging--' || name, recipe, recipe_id, sub_id, 'active', id from projects where id = $1 returning id)
         insert into wordpress_sites (project_id, username, lang, core, copied_at)
           select id, 'lucia', 'es', '6.8', now() from copy`,
        [projectId],
      );
      await db.transaction((tx) => announceChange(tx, user.id));
    },
    /** The files of a project's deploys, by path, with digest and size. */
    filesOfDeploys: async (projectId: string) => {
      const { rows } = await db.$client.query<{ files: StoredFile[] }>(
        "select files from deploys where project_id = $1",
        [projectId],
      );
      return rows.map(({ files }) => files.toSorted(([one], [other]) => (one < other ? -1 : 1)));
    },
    giveLogin: () => db.transaction((tx) => createCliToken(tx, user.id, { kind: "login", name: "seed", days: 1 })),
    giveToken: () => db.transaction((tx) => createCliToken(tx, user.id, { kind: "ci", name: "seed", days: 1 })),
    /** Makes the customer's referral earnings payable, as if thirty days had passed. */
    endHolding: () => db.$client.query("update earnings set payable_at = now() where referrer_id = $1", [user.id]),
    addEarning: (amount: number) =>
      db.transaction((tx) =>
        insertEarning(tx, {
          referrerId: user.id,
          invoiceId: "in_seed",
          amount,
          currency: "eur",
          percent: 10,
          payableAt: new Date(),
        }),
      ),
    /** Makes the customer's last proof of who they are too old for sensitive actions. */
    forgetProof: () =>
      db.transaction(async (tx) => {
        await tx.execute(sql`update sessions set proven_at = now() - interval '1 hour' where user_id = ${user.id}`);
        await tx.execute(sql`select pg_notify('nido_sessions', ${user.id})`);
      }),
    close: () => db.$client.end(),
  };
}
