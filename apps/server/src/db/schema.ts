import { sql } from "drizzle-orm";
import { customType, index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from "drizzle-orm/pg-core";

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
