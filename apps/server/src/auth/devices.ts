import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { Actor } from "@nido/contract";
import Bowser from "bowser";
import { eq, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { knownDevices } from "../db/schema.ts";
import { clientAddress } from "../http/clientAddress.ts";
import { mailCustomer } from "../mail/queueMail.ts";

const maxDevices = 50;

export interface Device {
  /** the secret in the browser's long-lived cookie, which tells browsers apart */
  device: string;
  userAgent: string;
  place: string;
}

/** Remembers the browser. If the customer has signed in before, but never from this one, they are told by mail. */
export async function recogniseDevice(tx: Tx, userId: string, { device, userAgent, place }: Device) {
  const isFirst = (await tx.$count(knownDevices, eq(knownDevices.userId, userId))) === 0;
  const deviceHash = createHash("sha256").update(device).digest();
  const { rows } = await tx.execute<{ is_new: boolean }>(sql`
    insert into ${knownDevices} (user_id, device_hash) values (${userId}, ${deviceHash})
    on conflict (user_id, device_hash) do update set last_seen_at = now() returning xmax = 0 as is_new`);
  await tx.execute(sql`delete from ${knownDevices} where user_id = ${userId} and device_hash not in (
    select device_hash from ${knownDevices} where user_id = ${userId} order by last_seen_at desc limit ${maxDevices})`);
  if (isFirst || !rows[0]?.is_new) return;
  await mailCustomer(tx, userId, "newDevice", {
    device: describeDevice(userAgent),
    place,
    at: new Date().toISOString(),
  });
}

export async function forgetOldDevices(db: Db) {
  await db.delete(knownDevices).where(lt(knownDevices.lastSeenAt, sql`now() - interval '1 year'`));
}

/** The browser of a session, or of a sign-in, as the one who did something. */
export function browserAs({ userAgent, place }: Pick<Device, "userAgent" | "place">): Actor {
  return { kind: "session", name: describeDevice(userAgent), place };
}

/** Such as "Firefox · Linux"; empty if the header says nothing known. */
export function describeDevice(userAgent: string): string {
  if (!userAgent) return "";
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(" · ");
}

/** The network of an address, enough for a customer to recognise it: 203.0.113.*, or 2001:db8:1:2::. */
export function placeOf(ip: string): string {
  const plain = ip.replace(/^::ffff:/, "");
  return isIPv6(plain) ? `${clientAddress(plain)}::` : plain.replace(/\.\d+$/, ".*");
}
