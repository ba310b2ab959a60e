import { recipes, type Task } from "@nido/contract";
import { sql } from "drizzle-orm";
import { customType, index, integer, jsonb, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";

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
    /** the customer gave it up; it is gone from their state from then on */
    cancelledAt: moment("cancelled_at"),
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
    subId: text("sub_id")
      .notNull()
      .references(() => subscriptions.id),
    status: text({ enum: ["provisioning", "active", "suspended", "failed"] }).notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    archivedAt: moment("archived_at"),
  },
  (table) => [index("projects_user").on(table.userId)],
);

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
    domain: text().notNull().unique(),
    branch: text().notNull().default("main"),
    status: text({ enum: ["pending", "verified", "failing"] })
      .notNull()
      .default("pending"),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [index("domains_project").on(table.projectId)],
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
  createdAt: moment("created_at").notNull().defaultNow(),
});
