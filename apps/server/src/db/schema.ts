import { type DnsRecord, type ErrorKey, recipes, type Task } from "@nido/contract";
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
const moment = (name: string) => timestamp(name, { withTimezone: true });

/** A customer. What the dashboard shows of it is `User` in the contract. */
export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    /** grows by one with every change of anything in the customer's state */
    rev: integer().notNull().default(1),
    email: text().notNull(),
    /** Google's `sub`: e-mail addresses change hands, this does not */
    googleSub: text("google_sub").unique(),
    passwordHash: text("password_hash"),
    avatarUrl: text("avatar_url").notNull().default(""),
    givenName: text("given_name").notNull().default(""),
    familyName: text("family_name").notNull().default(""),
    address: text().notNull().default(""),
    city: text().notNull().default(""),
    state: text().notNull().default(""),
    zipcode: text().notNull().default(""),
    country: text().notNull().default(""),
    phone: text().notNull().default(""),
    companyName: text("company_name").notNull().default(""),
    vatNumber: text("vat_number").notNull().default(""),
    lang: text({ enum: ["es", "en"] })
      .notNull()
      .default("es"),
    refcode: text().notNull().unique(),
    /** how the payment provider knows them, from their first checkout on */
    providerId: text("provider_id").unique(),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastLogin: moment("last_login").notNull().defaultNow(),
  },
  (table) => [uniqueIndex("users_email").on(sql`lower(${table.email})`)],
);

/** A signed-in browser. The token itself is only in its cookie. */
export const sessions = pgTable(
  "sessions",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expiry").on(table.expiresAt)],
);

/** How often something was tried lately, by whom; see `auth/attempts.ts`. */
export const attempts = pgTable("attempts", {
  key: text().primaryKey(),
  count: integer().notNull(),
  resetsAt: moment("resets_at").notNull(),
});

/** What a customer pays for, as the payment provider tells it. */
export const subscriptions = pgTable(
  "subscriptions",
  {
    /** the provider's id, sub_… */
    id: text().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    amount: integer().notNull(),
    currency: text().notNull(),
    interval: text({ enum: ["month", "year"] }).notNull(),
    createdAt: moment("created_at").notNull(),
    periodStart: moment("period_start").notNull(),
    periodEnd: moment("period_end").notNull(),
    /** it runs out at the period's end instead of being renewed */
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
    /** since when a payment is owed */
    pastDueSince: moment("past_due_since"),
    /** given up by the customer, or ended by the provider; gone from the customer's state from then on */
    cancelledAt: moment("cancelled_at"),
    /** the provider says that it has ended: nothing will be charged any more */
    endedAt: moment("ended_at"),
  },
  (table) => [index("subscriptions_user").on(table.userId)],
);

/** A website. Deleting one archives it: its name stays taken until the archive is gone. */
export const projects = pgTable(
  "projects",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    name: text().notNull().unique(),
    recipe: text({ enum: recipes }).notNull(),
    /** the provider's product id */
    recipeId: text("recipe_id").notNull(),
    /** one purchase, one project */
    subId: text("sub_id")
      .notNull()
      .unique()
      .references(() => subscriptions.id),
    status: text({ enum: ["provisioning", "active", "suspended", "failed"] }).notNull(),
    /** since when an operator keeps it down: paying does not bring it back */
    heldAt: moment("held_at"),
    /** in bytes, as last measured */
    diskUsed: bigint("disk_used", { mode: "number" }).notNull().default(0),
    createdAt: moment("created_at").notNull().defaultNow(),
    archivedAt: moment("archived_at"),
  },
  (table) => [index("projects_user").on(table.userId)],
);

/** The WordPress of a project, from the moment its making begins. */
export const wordpressSites = pgTable("wordpress_sites", {
  projectId: uuid("project_id")
    .primaryKey()
    .references(() => projects.id),
  /** of the administrator that the customer named */
  username: text().notNull(),
  lang: text({ enum: ["es", "en"] }).notNull(),
  /** the version of WordPress that it runs on */
  core: text().notNull(),
  /** one that it broke on, and is not moved to again */
  refusedCore: text("refused_core"),
  /** what the customer follows while it is made */
  taskId: uuid("task_id").references(() => tasks.id),
});

/** Leave to enter a WordPress once, within a minute. */
export const ssoTokens = pgTable("sso_tokens", {
  tokenHash: bytea("token_hash").primaryKey(),
  projectId: uuid("project_id")
    .notNull()
    .references(() => projects.id),
  expiresAt: moment("expires_at").notNull(),
});

/** What one process at a time may do. Whoever finds it expired takes it, with the next number. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  holder: text().notNull(),
  fence: integer().notNull(),
  expiresAt: moment("expires_at").notNull(),
});

/** A host name of a project. The controlled one, {name}.SITES_DOMAIN, is not stored: it follows from the name. */
export const domains = pgTable(
  "domains",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id),
    /** as typed */
    name: text().notNull(),
    domain: text().notNull(),
    branch: text().notNull().default("main"),
    /** where its visitors are sent, once that is served */
    redirectsTo: text("redirects_to"),
    status: text({ enum: ["pending", "verified", "failing"] })
      .notNull()
      .default("pending"),
    /** the one that a WordPress calls itself by; without one, that is its controlled domain */
    isPrimary: boolean("is_primary").notNull().default(false),
    /** what DNS said last, and what is wrong with it */
    seen: jsonb().$type<DnsRecord[]>().notNull().default([]),
    reason: text().$type<ErrorKey>(),
    createdAt: moment("created_at").notNull().defaultNow(),
    checkedAt: moment("checked_at"),
    /** when it last was as it should be */
    verifiedAt: moment("verified_at"),
    nextCheckAt: moment("next_check_at").notNull().defaultNow(),
  },
  (table) => [
    index("domains_project").on(table.projectId),
    index("domains_due").on(table.nextCheckAt),
    index("domains_domain").on(table.domain),
    // Anybody may claim a name; one account has it.
    uniqueIndex("domains_served").on(table.domain).where(sql`status in ('verified', 'failing')`),
    uniqueIndex("domains_primary").on(table.projectId).where(sql`is_primary`),
  ],
);

/** Who was served at a name, ever: another account has to show more than a record that may have been forgotten. */
export const domainHolders = pgTable(
  "domain_holders",
  {
    domain: text().notNull(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
  },
  (table) => [primaryKey({ columns: [table.domain, table.userId] })],
);

/** A file's bytes that an account has sent. Kept while one of its deploys has them, and for some time after. */
export const blobs = pgTable(
  "blobs",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    sha256: bytea().notNull(),
    size: bigint({ mode: "number" }).notNull(),
    /** how many bytes it has compressed; null where that is not smaller, or not made */
    gzip: integer(),
    brotli: integer(),
    /** when compressing it was done with */
    compressedAt: moment("compressed_at"),
    addedAt: moment("added_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.sha256] })],
);

/** A publication of a static site: which files it has never changes. */
export const deploys = pgTable(
  "deploys",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** the tool's, so that an attempt that is repeated is the same deploy */
    key: text().notNull(),
    branch: text().notNull(),
    message: text().notNull(),
    files: jsonb().$type<StoredFile[]>().notNull(),
    fileCount: integer("file_count").notNull(),
    size: bigint({ mode: "number" }).notNull(),
    /** how many bytes were missing when it was announced, and how many of them have come */
    missing: bigint({ mode: "number" }).notNull(),
    received: bigint({ mode: "number" }).notNull().default(0),
    createdAt: moment("created_at").notNull().defaultNow(),
    finishedAt: moment("finished_at"),
    /** since when its files can be had compressed */
    compressedAt: moment("compressed_at"),
  },
  (table) => [uniqueIndex("deploys_key").on(table.projectId, table.key)],
);
/** Not an object by path: what customers call their files does not become a key. */
export type StoredFile = [path: string, sha256: string, size: number];

/** Which deploy a branch of a static site shows. */
export const branches = pgTable(
  "branches",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    name: text().notNull(),
    deployId: uuid("deploy_id")
      .notNull()
      .references(() => deploys.id),
    /** what it showed before, and until when: somebody may still have a page of it */
    previousId: uuid("previous_id"),
    changedAt: moment("changed_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
);

/** A command-line tool's way in: a login, or a named one for a machine that nobody sits at. */
export const toolTokens = pgTable(
  "tool_tokens",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    tokenHash: bytea("token_hash").notNull().unique(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text({ enum: ["login", "ci"] }).notNull(),
    name: text().notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastUsedAt: moment("last_used_at"),
    expiresAt: moment("expires_at"),
  },
  (table) => [index("tool_tokens_user").on(table.userId)],
);

/** Leave that a customer gives a tool in the browser, once: on the same machine, or by a code that they type. */
export const toolGrants = pgTable(
  "tool_grants",
  {
    /** of what the tool has to show */
    codeHash: bytea("code_hash").primaryKey(),
    /** what the tool must know besides: its SHA-256 (same machine) */
    challenge: text(),
    /** what the customer reads off the tool's screen (another machine) */
    userCode: text("user_code").unique(),
    /** what the tool calls its machine */
    tool: text().notNull(),
    /** who gave it; nobody yet where a code waits to be typed */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    isDenied: boolean("is_denied").notNull().default(false),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("tool_grants_expiry").on(table.expiresAt)],
);

/** Work that a customer watches: the creation of a WordPress site. */
export const tasks = pgTable("tasks", {
  id: uuid().primaryKey().default(sql`gen_random_uuid()`),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  state: text({ enum: ["pending", "running", "completed", "failed"] })
    .notNull()
    .default("pending"),
  progress: jsonb().$type<Task["progress"]>().notNull().default([]),
  /** why it failed */
  error: text().$type<ErrorKey>(),
  createdAt: moment("created_at").notNull().defaultNow(),
});

/**
 * A purchase on its way: it holds the name, and the buyer's one promotion, from before the provider is asked
 * until the provider says that it was paid or has expired.
 */
export const checkouts = pgTable(
  "checkouts",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    state: text({ enum: ["open", "paid", "expired"] })
      .notNull()
      .default("open"),
    name: text().notNull(),
    /** the provider's price */
    planId: text("plan_id").notNull(),
    /** the provider's product */
    recipeId: text("recipe_id").notNull(),
    recipe: text({ enum: recipes }).notNull(),
    /** of the WordPress administrator; empty for a static site */
    username: text().notNull(),
    locale: text({ enum: ["es", "en"] }).notNull(),
    /** as it came; empty without one */
    promo: text().notNull(),
    /** whose promotion it is */
    referrerId: uuid("referrer_id").references(() => users.id),
    /** what the customer watches while their WordPress is made */
    taskId: uuid("task_id").references(() => tasks.id),
    /** the provider's session and its page, once it has answered */
    sessionId: text("session_id").unique(),
    url: text(),
    subId: text("sub_id")
      .unique()
      .references(() => subscriptions.id),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
    /** the customer came back without paying */
    abandonedAt: moment("abandoned_at"),
  },
  (table) => [
    uniqueIndex("checkouts_name").on(table.name).where(sql`${table.state} = 'open'`),
    uniqueIndex("checkouts_promotion")
      .on(table.userId)
      .where(sql`${table.referrerId} is not null and ${table.state} <> 'expired'`),
    index("checkouts_user").on(table.userId),
  ],
);

/** The provider's events that were taken. One that is here has had its effects, or has a job that brings them. */
export const events = pgTable("events", {
  id: text().primaryKey(),
  type: text().notNull(),
  receivedAt: moment("received_at").notNull().defaultNow(),
});

/** How far something that is read in order has been read. */
export const cursors = pgTable("cursors", {
  name: text().primaryKey(),
  at: moment("at").notNull(),
});

/** What referrers asked to be paid. */
export const payouts = pgTable("payouts", {
  id: uuid().primaryKey().default(sql`gen_random_uuid()`),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  currency: text().notNull(),
  requestedAt: moment("requested_at").notNull().defaultNow(),
  paidAt: moment("paid_at"),
});

/** What referrers earned, in cents. The entries of an invoice add up to its part; a refund brings a negative one. */
export const earnings = pgTable(
  "earnings",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    referrerId: uuid("referrer_id")
      .notNull()
      .references(() => users.id),
    invoiceId: text("invoice_id").notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    /** of what was paid: an invoice's refund takes back what its payment gave, whatever the setting is by then */
    percent: integer().notNull(),
    state: text({ enum: ["pending", "requested", "paid", "reversed"] })
      .notNull()
      .default("pending"),
    payoutId: uuid("payout_id").references(() => payouts.id),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [index("earnings_referrer").on(table.referrerId), index("earnings_invoice").on(table.invoiceId)],
);
