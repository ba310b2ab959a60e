import { eq } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { cursors } from "../../db/schema.ts";

export async function readCursor(db: Db, name: string): Promise<Date | undefined> {
  const [row] = await db.select().from(cursors).where(eq(cursors.name, name));
  return row?.at;
}

export async function moveCursor(db: Db, name: string, at: Date) {
  await db.insert(cursors).values({ name, at }).onConflictDoUpdate({ target: cursors.name, set: { at } });
}
