import {
  type ActivityKind,
  type Actor,
  backupReasons,
  billedDetails,
  type CountedContent,
  type DnsRecord,
  type ErrorKey,
  type Language,
  type MoveInReport,
  mailTopics,
  recipes,
  type SiteReport,
  type SiteRules,
  type SiteWork,
  siteMailStatuses,
  type Task,
} from "@nido/contract";
import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
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

/** The details that the payment provider was last told. What differs there was changed there. */
export interface ProviderCopy {
  /** the customer's id there: another customer has been told nothing yet */
  customer: string;
  email: string;
  name: string;
  phone: string;
  /** as JSON; empty without a country */
  address: string;
  /** the VAT number and the country that the tax id was made from */
  vat: string;
  /** the tax id that was made here, and whether it was found in its register; null if there is none */
  taxId: { id: string; value: string; status?: string } | null;
  /** the tax ids that the customer typed on the provider's pages; absent until they are read */
  typedTaxIds?: string[];
}

/** A customer. The dashboard's view of it is `User` in the contract. */
export const users = pgTable(
  "users",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    /** grows by one with every change of anything in the customer's state */
    rev: integer().notNull().default(1),
    email: text().notNull(),
    /** when the customer proved that the address is theirs; null for accounts from before that was required */
    emailConfirmedAt: moment("email_confirmed_at"),
    /** Google's `sub`, which is stable; e-mail addresses can change hands */
    googleSub: text("google_sub").unique(),
    googleLinkedAt: moment("google_linked_at"),
    /** The customer unlinked Google: it is not linked again by its address alone. */
    isGoogleUnlinked: boolean("is_google_unlinked").notNull().default(false),
    passwordHash: text("password_hash"),
    /** of the authenticator app, encrypted; `pending` until the customer has typed a first code */
    totpSecret: bytea("totp_secret"),
    /** A sign-in by password or Google also asks for a second factor. */
    isTwoStep: boolean("is_two_step").notNull().default(false),
    totpPending: bytea("totp_pending"),
    totpAt: moment("totp_at"),
    /** the time step of the last accepted code: each works once */
    totpStep: integer("totp_step").notNull().default(0),
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
    /** kinds of mail that the customer does not want */
    mutedMail: text("muted_mail", { enum: mailTopics }).array().notNull().default([]),
    /** the account number for payouts, encrypted, and its end to show */
    iban: bytea(),
    ibanEnd: text("iban_end").notNull().default(""),
    /** the payment provider's customer id, from the first checkout on */
    providerId: text("provider_id").unique(),
    providerCopy: jsonb("provider_copy").$type<ProviderCopy>(),
    refusedDetails: text("refused_details", { enum: billedDetails }).array().notNull().default([]),
    /** the size of all blobs of the account */
    storedBytes: bigint("stored_bytes", { mode: "number" }).notNull().default(0),
    /** when the customer closed the account; it can be reopened for 30 days */
    closedAt: moment("closed_at"),
    /** when everything but the bookkeeping was removed */
    removedAt: moment("removed_at"),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastLogin: moment("last_login").notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex("users_email").on(sql`lower(${table.email})`),
    index("users_closed").on(table.closedAt).where(sql`closed_at is not null and removed_at is null`),
  ],
);

/** A signed-in browser. The token itself is only in its cookie; the table has the hash. */
export const sessions = pgTable(
  "sessions",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: moment("created_at").notNull().defaultNow(),
    /** when the customer last proved who they are: at the sign-in, or later for a sensitive action */
    provenAt: moment("proven_at").notNull().defaultNow(),
    /** with a precision of ten minutes */
    lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
    /** the User-Agent header at the sign-in */
    userAgent: text("user_agent").notNull().default(""),
    /** the network that it signed in from: an address prefix */
    place: text().notNull().default(""),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("sessions_user").on(table.userId), index("sessions_expiry").on(table.expiresAt)],
);

/** Browsers from which a customer has signed in, recognised by a cookie. A sign-in from another one is announced by mail. */
export const knownDevices = pgTable(
  "known_devices",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    deviceHash: bytea("device_hash").notNull(),
    lastSeenAt: moment("last_seen_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.deviceHash] })],
);

/** Passkeys (WebAuthn). */
export const passkeys = pgTable(
  "passkeys",
  {
    /** the credential's id, in base64url */
    id: text().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text().notNull(),
    publicKey: bytea("public_key").notNull(),
    counter: bigint({ mode: "number" }).notNull(),
    transports: text().array().notNull().default([]),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [index("passkeys_user").on(table.userId)],
);

/** Codes that replace the second factor, each once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    codeHash: bytea("code_hash").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** A question that a browser must answer: with a passkey, or with the second factor after the password was right. */
export const challenges = pgTable(
  "challenges",
  {
    /** of the secret in the browser's cookie */
    browserHash: bytea("browser_hash").primaryKey(),
    purpose: text({ enum: ["secondFactor", "passkeySignIn", "addPasskey", "prove"] }).notNull(),
    /** null: a sign-in by passkey, before anybody is known */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** what a passkey signs, in base64url */
    challenge: text().notNull(),
    tries: integer().notNull().default(0),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("challenges_expiry").on(table.expiresAt)],
);

/**
 * A pending proof: whoever gives its link's token, or its code in the browser that asked for it, controls the address.
 * All three secrets are stored as hashes. A code is hashed with the browser's secret, so that it cannot be guessed offline.
 */
export const verifications = pgTable(
  "verifications",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    purpose: text({ enum: ["signUp", "resetPassword", "changeEmail", "undoEmail"] }).notNull(),
    email: text().notNull(),
    /** null: of a sign-up, or a decoy that can never be redeemed */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** It exists only so that known and unknown addresses cost the same work. */
    isDecoy: boolean("is_decoy").notNull().default(false),
    tokenHash: bytea("token_hash").notNull().unique(),
    codeHash: bytea("code_hash"),
    /** of the secret in the cookie of the browser that asked */
    browserHash: bytea("browser_hash").unique(),
    /** wrong codes so far */
    tries: integer().notNull().default(0),
    /** the new account of a sign-up */
    signUp: jsonb("sign_up").$type<{ passwordHash: string; lang: Language; returnTo: string }>(),
    createdAt: moment("created_at").notNull().defaultNow(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("verifications_user").on(table.userId),
    index("verifications_email").on(sql`lower(${table.email})`),
    index("verifications_expiry").on(table.expiresAt),
  ],
);

/** The outbox: messages of the platform to its customers, each written in the transaction of its cause. */
export const mailMessages = pgTable(
  "mail_messages",
  {
    /** also its Message-ID, so that a repeated delivery can be recognised */
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    recipient: text().notNull(),
    lang: text({ enum: ["es", "en"] }).notNull(),
    template: text().notNull(),
    params: jsonb().notNull(),
    /** links and codes, encrypted until it is sent */
    secrets: bytea(),
    /** makes a message unique, if its cause may be processed twice */
    key: text().unique(),
    status: text({ enum: ["waiting", "sent", "refused", "suppressed", "expired"] })
      .notNull()
      .default("waiting"),
    createdAt: moment("created_at").notNull().defaultNow(),
    /** when it is no longer of use */
    expiresAt: moment("expires_at").notNull(),
    endedAt: moment("ended_at"),
  },
  (table) => [index("mail_messages_recipient").on(sql`lower(${table.recipient})`, table.createdAt)],
);

/** What happened to an account and its projects, for its customer to read. Append-only: a trigger refuses updates. */
export const activity = pgTable(
  "activity",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** no foreign key: the entries of a deleted project stay */
    projectId: uuid("project_id"),
    kind: text().$type<ActivityKind>().notNull(),
    params: jsonb().notNull(),
    actor: jsonb().$type<Actor>().notNull(),
    /** what is needed to undo it */
    undo: jsonb(),
    /** the entry that this one has undone; unique, so that nothing is undone twice */
    undoes: bigint({ mode: "number" }).unique(),
    /** makes an entry unique, if its cause may be processed twice */
    key: text().unique(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [
    index("activity_user").on(table.userId, table.id),
    index("activity_project").on(table.projectId, table.id),
    index("activity_age").on(table.createdAt),
  ],
);

/** The archive of everything that a customer has here, made on request and kept for a day. */
export const dataExports = pgTable("data_exports", {
  userId: uuid("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** of this archive; a new request gets a new one */
  id: uuid().notNull().defaultRandom(),
  state: text({ enum: ["running", "ready", "failed"] })
    .notNull()
    .default("running"),
  /** in percent */
  progress: integer().notNull().default(0),
  size: bigint({ mode: "number" }).notNull().default(0),
  createdAt: moment("created_at").notNull().defaultNow(),
  expiresAt: moment("expires_at").notNull().default(sql`now() + interval '1 day'`),
});

/** Addresses that get no more mail, because it bounced or was reported as spam. */
export const mailSuppressions = pgTable("mail_suppressions", {
  address: text().primaryKey(),
  reason: text({ enum: ["refused", "bounced", "complained"] }).notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
});

/** Counters of recent uses, for rate limits; see `http/RateLimiter.ts`. */
export const attempts = pgTable("attempts", {
  key: text().primaryKey(),
  count: integer().notNull(),
  resetsAt: moment("resets_at").notNull(),
});

/** A subscription, as the payment provider reports it. */
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
    /** when its trial ends, or ended; nothing is charged before */
    trialEndsAt: moment("trial_ends_at"),
    /** it ends with the period instead of being renewed */
    cancelAtPeriodEnd: boolean("cancel_at_period_end").notNull().default(false),
    /** since when a payment is overdue */
    pastDueSince: moment("past_due_since"),
    /** what is owed, with taxes, and the provider's page on which anybody with the link can pay it */
    owedAmount: integer("owed_amount"),
    payUrl: text("pay_url"),
    /** the plan that the customer asked for, until the provider has it */
    requestedPlanId: text("requested_plan_id"),
    /** how far its payment has come: refused, waiting for the customer's confirmation, or on its way for some days */
    paymentStep: text("payment_step", { enum: ["declined", "confirm", "processing"] }),
    /** when it was cancelled by the customer or the provider; from then on it is not in the customer's state */
    cancelledAt: moment("cancelled_at"),
    /** when the provider ended it: nothing is charged after that */
    endedAt: moment("ended_at"),
  },
  (table) => [index("subscriptions_user").on(table.userId)],
);

/** A website. Deleting it archives it: its name stays taken until the archive is removed. */
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
    /** One purchase makes one project, and may have a staging copy of it. */
    subId: text("sub_id")
      .notNull()
      .references(() => subscriptions.id),
    /** the project that this one is the staging copy of; it is not in the customer's list of projects */
    stagingOf: uuid("staging_of")
      .unique()
      .references((): AnyPgColumn => projects.id, { onDelete: "cascade" }),
    status: text({ enum: ["provisioning", "active", "suspended", "failed"] }).notNull(),
    /** since when an operator holds it: paying does not end that */
    heldAt: moment("held_at"),
    /** in bytes, at the last measurement */
    diskUsed: bigint("disk_used", { mode: "number" }).notNull().default(0),
    /** browsers are told to use HTTPS only */
    hasHsts: boolean("has_hsts").notNull().default(false),
    createdAt: moment("created_at").notNull().defaultNow(),
    archivedAt: moment("archived_at"),
  },
  (table) => [
    index("projects_user").on(table.userId),
    uniqueIndex("projects_subscription").on(table.subId).where(sql`staging_of is null`),
  ],
);

/** Pictures of sites for their owners, as WebP. */
export const pictures = pgTable("pictures", {
  projectId: uuid("project_id")
    .primaryKey()
    .references(() => projects.id, { onDelete: "cascade" }),
  image: bytea().notNull(),
  takenAt: moment("taken_at").notNull(),
});

/** Visits of sites by hour, and by day where they are older than a month. */
export const traffic = pgTable(
  "traffic",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    at: moment("at").notNull(),
    requests: bigint({ mode: "number" }).notNull(),
    /** requests of programs */
    bots: bigint({ mode: "number" }).notNull(),
    /** pages that people opened, and how many of those they came to from elsewhere */
    views: bigint({ mode: "number" }).notNull(),
    visits: bigint({ mode: "number" }).notNull(),
    bytes: bigint({ mode: "number" }).notNull(),
    phpMs: bigint("php_ms", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.at] }), index("traffic_age").on(table.at)],
);

/** The WordPress of a project, from the start of its provisioning. */
export const wordpressSites = pgTable(
  "wordpress_sites",
  {
    projectId: uuid("project_id")
      .primaryKey()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** of the WordPress administrator */
    username: text().notNull(),
    lang: text({ enum: ["es", "en"] }).notNull(),
    /** its WordPress version */
    core: text().notNull(),
    /** its PHP version: that of new sites at the time, until its owner chooses another; null: the runtime has no choice */
    php: text(),
    /** where it runs */
    runtime: text({ enum: ["local", "kubernetes"] })
      .notNull()
      .default("local"),
    /** It is being moved to another runtime, and runs no PHP for visitors. */
    isMoving: boolean("is_moving").notNull().default(false),
    /** Its visitors see that it is being worked on. Not in its own database, which backups and copies replace. */
    isMaintained: boolean("is_maintained").notNull().default(false),
    /** a version whose update failed, which is not tried again */
    refusedCore: text("refused_core"),
    /** updates of plugins and themes that broke the site or that its owner undid, as `id version` */
    refusedUpdates: text("refused_updates").array().notNull().default([]),
    /** It is updated to every new WordPress, not only within its release line. */
    wantsMajors: boolean("wants_majors").notNull().default(false),
    /** paths that are looked at before and after an update; none: the newest pages */
    checkedPages: text("checked_pages").array().notNull().default([]),
    /** the progress that the customer watches */
    taskId: uuid("task_id").references(() => tasks.id),
    /** since when its mail is suspended, because the mail server refused too many recipients */
    mailSuspendedAt: moment("mail_suspended_at"),
    /** when its outbox is to be looked at; null: it is empty */
    mailDueAt: moment("mail_due_at").defaultNow(),
    /** when its next WP-Cron event is due; null: never */
    nextCronAt: moment("next_cron_at").defaultNow(),
    /** the most memory that a request of the last weeks has needed, in bytes, as the site says */
    memoryPeak: bigint("memory_peak", { mode: "number" }),
    /** what the site last reported as the version of its pages, and how many there have been */
    pagesVersion: text("pages_version"),
    pagesGeneration: bigint("pages_generation", { mode: "number" }).notNull().default(0),
    /** when PHP last ran, with a precision of ten minutes */
    activeAt: moment("active_at").notNull().defaultNow(),
    measuredAt: moment("measured_at").notNull().default(sql`to_timestamp(0)`),
    backedUpAt: moment("backed_up_at").notNull().default(sql`to_timestamp(0)`),
    /** when it was last copied from the site that it is the staging copy of; null: never */
    copiedAt: moment("copied_at"),
    /** what its owner asked for, while it runs, or if it failed */
    work: jsonb().$type<StoredWork>(),
    /** what the edge does before WordPress is asked */
    rules: jsonb().$type<SiteRules>(),
  },
  (table) => [
    // What is due is read from these, however many sites there are.
    index("wordpress_sites_cron").on(table.nextCronAt),
    index("wordpress_sites_mail").on(table.mailDueAt),
    index("wordpress_sites_measured").on(table.measuredAt).where(sql`active_at > measured_at`),
    index("wordpress_sites_backed_up").on(table.backedUpAt).where(sql`active_at > backed_up_at`),
    index("wordpress_sites_core").on(table.core),
    index("wordpress_sites_task").on(table.taskId),
  ],
);

/** How a page looks, as far as a program can tell. */
export interface PageView {
  path: string;
  status: number;
  title: string;
  /** of its text, without markup */
  length: number;
  /** false: PHP failed after it had sent a part. Absent before this was looked at. */
  hasEnd?: boolean;
}

/** What the owner of a site asked for: a backup, a restore, a staging copy, or to publish that. */
export interface StoredWork extends SiteWork {
  /** of the request: its job does nothing once this has changed */
  id: string;
  /** what is restored */
  backup?: string;
  /** the backup that was made before the restore, push or update */
  snapshot?: string;
  /** of an update: how pages looked before, the names of what is updated, and the version that each is to have */
  update?: { pages: PageView[]; items: string; targets: Record<string, string> };
  /** While the site has another WordPress version, PHP runs for no visitor. */
  holdsVisitors?: boolean;
}

/** What a site contains, as far as its owner would count it. */
export interface SiteContent extends Record<CountedContent, number> {
  /** posts and pages that were edited since the backup `since` */
  edited: number;
  since?: string;
  /** plugins and themes */
  items: [id: string, name: string, version: string][];
}

/** What is known about the files with the backups of WordPress sites. */
export const backups = pgTable(
  "backups",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** of the file */
    name: text().notNull(),
    reason: text({ enum: backupReasons }).notNull(),
    note: text().notNull(),
    size: bigint({ mode: "number" }).notNull(),
    /** the WordPress version */
    core: text().notNull(),
    /** null: unknown */
    content: jsonb().$type<SiteContent>(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
);

/** Who reaches the files of WordPress sites by SFTP: a password for some hours, and public keys. */
export const siteAccess = pgTable(
  "site_access",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** of the key; empty for the password */
    name: text().notNull().default(""),
    /** SHA-256 of the password, or of the public key */
    hash: bytea().notNull(),
    /** null: the password */
    publicKey: text("public_key"),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastUsedAt: moment("last_used_at"),
    /** null: a key, which stays */
    expiresAt: moment("expires_at"),
  },
  (table) => [uniqueIndex("site_access_hash").on(table.projectId, table.hash)],
);

/** Another WordPress that is being copied, and how far that has come. */
export interface MoveInCopy {
  url: string;
  /** absent if we brought the plugin: the password is its key */
  user?: string | undefined;
  /** encrypted, in Base64 */
  password: string;
  /** those that are not yet read, the current one first */
  tables: string[];
  /** where the next piece begins */
  after: string;
  /** the part of the pieces that is the dump; the files follow it */
  dumpBytes: number;
  dumpParts: number;
  isRead: boolean;
}

/** The archive of another WordPress that is to become a site's staging copy. */
export const moveIns = pgTable("move_ins", {
  /** of the upload */
  id: uuid().primaryKey().default(sql`gen_random_uuid()`),
  projectId: uuid("project_id")
    .notNull()
    .unique()
    .references(() => projects.id, { onDelete: "cascade" }),
  /** of the file on its owner's machine */
  name: text().notNull(),
  size: bigint({ mode: "number" }).notNull(),
  /** when it was last changed there, in milliseconds since 1970 */
  modified: bigint({ mode: "number" }).notNull(),
  /** the names of its parts, in their order */
  parts: text().array().notNull().default(sql`'{}'`),
  /** how many bytes of it have arrived */
  received: bigint({ mode: "number" }).notNull().default(0),
  /** what it contains, once it was looked through */
  report: jsonb().$type<MoveInReport>(),
  /** while it is copied from its address */
  source: jsonb().$type<MoveInCopy>(),
  /** the prefix of its tables */
  prefix: text(),
  /** why it cannot be used */
  problem: text().$type<ErrorKey>(),
  createdAt: moment("created_at").notNull().defaultNow(),
});

/** The messages that WordPress sites sent lately, for their owners to read. */
export const siteMail = pgTable(
  "site_mail",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** the file of the message in the site's outbox */
    name: text().notNull(),
    recipients: text().notNull(),
    subject: text().notNull(),
    status: text({ enum: siteMailStatuses }).notNull(),
    problem: text().notNull().default(""),
    at: moment("at").notNull().defaultNow(),
  },
  (table) => [uniqueIndex("site_mail_name").on(table.projectId, table.name), index("site_mail_age").on(table.at)],
);

/** A WordPress site on Kubernetes, also while a database is prepared on it. */
export const clusterSites = pgTable("cluster_sites", {
  siteId: uuid("site_id").primaryKey(),
  /** host and port of the MariaDB server with its database */
  databaseHost: text("database_host").notNull(),
  /** encrypted */
  secrets: bytea().notNull(),
  /** grows with every change of the secrets or the volume */
  version: integer().notNull().default(1),
  /** the name of its claim; null: that of its other objects */
  volume: text(),
  /** the WordPress version that it was installed with; null until its installation is complete */
  installedCore: text("installed_core"),
});

/** A one-time token that signs the owner in to their WordPress, valid for a minute. */
export const ssoTokens = pgTable("sso_tokens", {
  tokenHash: bytea("token_hash").primaryKey(),
  projectId: uuid("project_id")
    .notNull()
    .references(() => projects.id, { onDelete: "cascade" }),
  expiresAt: moment("expires_at").notNull(),
});

/** Leases: locks that one process at a time can hold. Each new holder gets the next fencing number. */
export const leases = pgTable("leases", {
  name: text().primaryKey(),
  holder: text().notNull(),
  fence: integer().notNull(),
  expiresAt: moment("expires_at").notNull(),
});

/** A domain is served while its records are right, and for a grace period after they stopped being right. */
export const servedStatuses = ["verified", "failing"] as const;
const quotedServedStatuses = servedStatuses.map((status) => `'${status}'`).join(", ");

/** A host name of a project. The controlled one, {name}.SITES_DOMAIN, is not stored: it follows from the name. */
export const domains = pgTable(
  "domains",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id),
    /** as the customer typed it, in Unicode */
    name: text().notNull(),
    domain: text().notNull(),
    branch: text().notNull().default("main"),
    /** the domain that it redirects to, once that one is served */
    redirectsTo: text("redirects_to"),
    status: text({ enum: ["pending", "verified", "failing"] })
      .notNull()
      .default("pending"),
    /** the primary domain of a WordPress; without one, its controlled domain is primary */
    isPrimary: boolean("is_primary").notNull().default(false),
    /** the records at the last check, and what is wrong with them */
    seen: jsonb().$type<DnsRecord[]>().notNull().default([]),
    reason: text().$type<ErrorKey>(),
    createdAt: moment("created_at").notNull().defaultNow(),
    checkedAt: moment("checked_at"),
    /** when its records were last right */
    verifiedAt: moment("verified_at"),
    nextCheckAt: moment("next_check_at").notNull().defaultNow(),
  },
  (table) => [
    index("domains_project").on(table.projectId),
    index("domains_due").on(table.nextCheckAt),
    index("domains_domain").on(table.domain),
    // Many accounts may claim a domain, but only one is served at it.
    uniqueIndex("domains_served")
      .on(table.domain)
      .where(sql.raw(`status in (${quotedServedStatuses})`)),
    uniqueIndex("domains_primary").on(table.projectId).where(sql`is_primary`),
  ],
);

/** Every account that was ever served at a domain. A later account must prove its ownership, because an old CNAME may have been left behind. */
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

/** Host names for which a certificate may be ordered. A new one counts against its customer's daily share. */
export const certificateHosts = pgTable(
  "certificate_hosts",
  {
    host: text().primaryKey(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    grantedAt: moment("granted_at").notNull().defaultNow(),
  },
  (table) => [index("certificate_hosts_user").on(table.userId, table.grantedAt)],
);

/** The certificate of each name that should have one: customers' served domains, and the platform's own names. */
export const certificates = pgTable(
  "certificates",
  {
    /** a host name, or a wildcard */
    name: text().primaryKey(),
    /** in PEM format; null until the first one is issued */
    chain: text(),
    /** encrypted */
    key: bytea(),
    notAfter: moment("not_after"),
    /** when the next one should be ordered */
    dueAt: moment("due_at").notNull().defaultNow(),
    /** when the authority was last asked for the best time to renew */
    renewalCheckedAt: moment("renewal_checked_at"),
    /** failed orders since the last success */
    failures: integer().notNull().default(0),
    problem: text().$type<ErrorKey>(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [index("certificates_due").on(table.dueAt), index("certificates_expiry").on(table.renewalCheckedAt)],
);

/** Orders at certificate authorities. They are kept for a week, because the authorities' limits count them. */
export const certificateOrders = pgTable(
  "certificate_orders",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    name: text().notNull(),
    /** the registered domain of the name: authorities limit the certificates for each */
    registeredDomain: text("registered_domain").notNull(),
    /** the address of the authority's directory */
    authority: text().notNull(),
    /** the order's address; null until the authority has answered */
    url: text(),
    /** the private key of the new certificate, encrypted */
    key: bytea(),
    status: text({ enum: ["open", "valid", "failed"] })
      .notNull()
      .default("open"),
    createdAt: moment("created_at").notNull().defaultNow(),
    endedAt: moment("ended_at"),
  },
  (table) => [
    // However many processes want one, a name has one order at a time.
    uniqueIndex("certificate_orders_open").on(table.name).where(sql`status = 'open'`),
    index("certificate_orders_recent").on(table.authority, table.createdAt),
    index("certificate_orders_domain").on(table.registeredDomain, table.createdAt),
  ],
);

/** What an authority is told at http://{name}/.well-known/acme-challenge/{token} while it checks a name. */
export const acmeChallenges = pgTable("acme_challenges", {
  token: text().primaryKey(),
  name: text().notNull(),
  keyAuthorization: text("key_authorization").notNull(),
  createdAt: moment("created_at").notNull().defaultNow(),
});

/** Our account at each certificate authority. */
export const acmeAccounts = pgTable("acme_accounts", {
  /** the address of the authority's directory */
  authority: text().primaryKey(),
  /** encrypted */
  key: bytea().notNull(),
  /** null until it is registered */
  url: text(),
});

/** Content that an account has uploaded. Kept while one of its deploys uses it, and for some time after. */
export const blobs = pgTable(
  "blobs",
  {
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    sha256: bytea().notNull(),
    size: bigint({ mode: "number" }).notNull(),
    /** sizes of the compressed forms; null if there is none */
    gzip: integer(),
    brotli: integer(),
    /** when compression was finished, with or without a result */
    compressedAt: moment("compressed_at"),
    addedAt: moment("added_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.sha256] })],
);

/** A published version of a static site. Its files never change. */
export const deploys = pgTable(
  "deploys",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** the CLI's idempotency key: a retried request finds the same deploy */
    key: text().notNull(),
    branch: text().notNull(),
    message: text().notNull(),
    files: jsonb().$type<StoredFile[]>().notNull(),
    fileCount: integer("file_count").notNull(),
    size: bigint({ mode: "number" }).notNull(),
    /** bytes to upload when it was planned, and bytes received since */
    missing: bigint({ mode: "number" }).notNull(),
    received: bigint({ mode: "number" }).notNull().default(0),
    /** files that differ from what its branch showed when it was planned */
    added: integer().notNull().default(0),
    changed: integer().notNull().default(0),
    removed: integer().notNull().default(0),
    /** what was noticed before it was published */
    report: jsonb().$type<SiteReport>(),
    findings: integer().notNull().default(0),
    /** the token or browser that published it */
    author: text().notNull().default(""),
    createdAt: moment("created_at").notNull().defaultNow(),
    finishedAt: moment("finished_at"),
    /** since when its files are compressed */
    compressedAt: moment("compressed_at"),
  },
  (table) => [uniqueIndex("deploys_key").on(table.projectId, table.key)],
);
/** A tuple, not an object keyed by path: file names must not become object keys. */
export type StoredFile = [path: string, sha256: string, size: number];

export interface ReplacedDeploy {
  id: string;
  /** when another one took its place, in milliseconds since 1970 */
  at: number;
}

/** The deploy that a branch of a static site shows. */
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
    /** the deploys that it showed within the last day, the newest first */
    replaced: jsonb().$type<ReplacedDeploy[]>().notNull().default([]),
    /** the deploys to roll back to, the next one last; some of them may be gone */
    history: uuid().array().notNull().default(sql`'{}'`),
    changedAt: moment("changed_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
);

/** A password that visitors of a static site, or of one of its branches, have to know. */
export const sitePasswords = pgTable(
  "site_passwords",
  {
    projectId: uuid("project_id")
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** empty: the whole site */
    branch: text().notNull(),
    hash: text().notNull(),
    setAt: moment("set_at").notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.branch] })],
);

/** An access token of the CLI: a login, or a named token for CI. */
export const cliTokens = pgTable(
  "cli_tokens",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    tokenHash: bytea("token_hash").notNull().unique(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text({ enum: ["login", "ci"] }).notNull(),
    name: text().notNull(),
    /** the only project that it reaches; null: all of the customer's */
    projectId: uuid("project_id").references(() => projects.id, { onDelete: "cascade" }),
    access: text({ enum: ["publish", "read"] })
      .notNull()
      .default("publish"),
    createdAt: moment("created_at").notNull().defaultNow(),
    /** when the customer who granted a login had signed in to the dashboard; null for CI tokens */
    signedInAt: moment("signed_in_at"),
    lastUsedAt: moment("last_used_at"),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("cli_tokens_user").on(table.userId)],
);

/** A one-time grant for the CLI, given in a browser: on the same machine (PKCE), or by a typed device code. */
export const cliGrants = pgTable(
  "cli_grants",
  {
    /** the SHA-256 of the code that the CLI redeems */
    codeHash: bytea("code_hash").primaryKey(),
    /** the PKCE challenge (same machine) */
    challenge: text(),
    /** the code that the customer types (another machine) */
    userCode: text("user_code").unique(),
    /** the name of the CLI's machine, shown to the customer */
    machine: text().notNull(),
    /** who granted it; null until a device code is typed */
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** when that customer had signed in to the dashboard */
    signedInAt: moment("signed_in_at"),
    isDenied: boolean("is_denied").notNull().default(false),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("cli_grants_expiry").on(table.expiresAt)],
);

/** Work whose progress a customer watches: the provisioning of a WordPress. */
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
 * A reservation: it holds the name and the buyer's promotion from before the provider is called until the provider
 * reports that the session was paid or has expired.
 */
export const checkouts = pgTable(
  "checkouts",
  {
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** `processing`: a direct debit or the like is on its way for some days */
    state: text({ enum: ["open", "processing", "paid", "expired"] })
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
    /** the promotional code as sent; empty without one */
    promo: text().notNull(),
    /** the operators' promotion code at the provider, if it is one of those */
    promotionCode: text("promotion_code"),
    /** the operators' code is for a first purchase only */
    firstPurchase: boolean("first_purchase").notNull().default(false),
    /** of the customer's one trial */
    trialDays: integer("trial_days"),
    /** the customer whose refcode it is */
    referrerId: uuid("referrer_id").references(() => users.id),
    /** the task of a WordPress's provisioning */
    taskId: uuid("task_id").references(() => tasks.id),
    /** the provider's session and payment page, once it has answered */
    sessionId: text("session_id").unique(),
    url: text(),
    subId: text("sub_id")
      .unique()
      .references(() => subscriptions.id),
    createdAt: moment("created_at").notNull().defaultNow(),
    /** when the session ends; while the payment is processed, when its result is looked up again */
    expiresAt: moment("expires_at").notNull(),
    /** when the payment began that takes days; of an expired checkout: it failed */
    processingSince: moment("processing_since"),
    /** when the customer came back without paying */
    abandonedAt: moment("abandoned_at"),
  },
  (table) => [
    uniqueIndex("checkouts_name").on(table.name).where(sql`${table.state} in ('open', 'processing')`),
    uniqueIndex("checkouts_promotion")
      .on(table.userId)
      .where(sql`${table.referrerId} is not null and ${table.state} <> 'expired'`),
    uniqueIndex("checkouts_first_purchase")
      .on(table.userId)
      .where(sql`${table.firstPurchase} and ${table.state} <> 'expired'`),
    uniqueIndex("checkouts_trial")
      .on(table.userId)
      .where(sql`${table.trialDays} is not null and ${table.state} <> 'expired'`),
    index("checkouts_user").on(table.userId),
  ],
);

/** Payments that customers dispute at their bank, as the payment provider reports them. */
export const disputes = pgTable(
  "disputes",
  {
    /** the provider's id, dp_… */
    id: text().primaryKey(),
    subId: text("sub_id")
      .notNull()
      .references(() => subscriptions.id),
    invoiceId: text("invoice_id").notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    /** in the provider's words */
    reason: text().notNull(),
    /** `won` also if it was withdrawn; `lost`: the customer has the money back */
    state: text({ enum: ["open", "won", "lost"] }).notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [index("disputes_subscription").on(table.subId)],
);

/** What customers get back: purchases that could not be fulfilled, and what operators refund. */
export const refunds = pgTable(
  "refunds",
  {
    /** also in the metadata of the refunds at the provider */
    id: uuid().primaryKey().default(sql`gen_random_uuid()`),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id),
    /** the subscription of a purchase that could not be fulfilled: from then on, it never gets a project */
    subId: text("sub_id").unique(),
    /** the name of the site that was purchased */
    name: text(),
    /** why the purchase could not be fulfilled, or the reason that the provider is told */
    reason: text().notNull(),
    /** null: nothing was invoiced */
    invoiceId: text("invoice_id"),
    amount: integer().notNull(),
    currency: text().notNull(),
    /** `failed`: the bank returned it. `settled`: the customer has the money in another way. */
    state: text({ enum: ["owed", "pending", "refunded", "failed", "settled"] })
      .notNull()
      .default("owed"),
    /** why it is not refunded by itself */
    problem: text(),
    /** grows whenever it is tried again, because a refused call's idempotency key would get the same answer again */
    attempt: integer().notNull().default(1),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [index("refunds_invoice").on(table.invoiceId), index("refunds_state").on(table.state)],
);

/** The provider's events that were received. Each has had its effect, or has a job that will. */
export const events = pgTable("events", {
  id: text().primaryKey(),
  type: text().notNull(),
  receivedAt: moment("received_at").notNull().defaultNow(),
});

/** Read positions in lists that are read in order, such as the provider's events. */
export const cursors = pgTable("cursors", {
  name: text().primaryKey(),
  at: moment("at").notNull(),
});

/** Payout requests of referrers. */
export const payouts = pgTable("payouts", {
  id: uuid().primaryKey().default(sql`gen_random_uuid()`),
  userId: uuid("user_id")
    .notNull()
    .references(() => users.id),
  currency: text().notNull(),
  requestedAt: moment("requested_at").notNull().defaultNow(),
  paidAt: moment("paid_at"),
  /** where the money goes, encrypted, and its end to show: as it was at the request */
  iban: bytea(),
  ibanEnd: text("iban_end").notNull().default(""),
});

/** The ledger of referrers' earnings, in cents. The entries of an invoice add up to its share; a refund adds a negative one. */
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
    /** the share at the time of payment: a refund takes back the same share, even if the setting has changed */
    percent: integer().notNull(),
    /** `refused`: buyer and referrer seem to be one person */
    state: text({ enum: ["pending", "requested", "paid", "reversed", "refused"] })
      .notNull()
      .default("pending"),
    /** why it was refused */
    refusal: text({ enum: ["same_card", "same_address"] }),
    /** when it becomes payable: by then, most refunds and disputes have arrived */
    payableAt: moment("payable_at").notNull().default(sql`now() + interval '30 days'`),
    payoutId: uuid("payout_id").references(() => payouts.id),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [index("earnings_referrer").on(table.referrerId), index("earnings_invoice").on(table.invoiceId)],
);
