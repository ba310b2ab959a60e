import { insertUser } from "@nido/server/account/queries";
import { openSession, type Session, sessionId } from "@nido/server/auth/sessions";
import { users } from "@nido/server/db/schema";
import { eq } from "drizzle-orm";
import type { TestApp } from "../app.ts";

/** A customer with a session, for calls without HTTP. */
export async function newCustomer({ db, live }: TestApp, email: string, details?: Partial<typeof users.$inferInsert>) {
  const [id, token] = await db.transaction(async (tx) => {
    const created = (await insertUser(tx, { email, givenName: "Ana" })) as string;
    return [created, await openSession(tx, created, { userAgent: "", place: "" }, 30)] as const;
  });
  if (details) await db.update(users).set(details).where(eq(users.id, id));
  const [row] = await db.select({ refcode: users.refcode }).from(users).where(eq(users.id, id));
  const session = (await live.sessions.find(sessionId(token))) as Session;
  return { id, session, refcode: row?.refcode as string };
}

const spain = { country: "ES", address: "Calle Mayor 1", zipcode: "28001" };

/** A customer who has not used a promotion yet. One in Spain pays VAT. */
export async function newBuyer(server: TestApp, email: string, isSpanish: boolean) {
  const customer = await newCustomer(server, email, isSpanish ? spain : undefined);
  return { ...customer, vat: isSpanish ? 21 : 0, hasPromotion: true };
}
export type Buyer = Awaited<ReturnType<typeof newBuyer>>;
