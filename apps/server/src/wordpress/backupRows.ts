import { and, desc, eq } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { backups } from "../db/schema.ts";

export async function insertBackupRow(db: Db, row: typeof backups.$inferInsert) {
  await db.insert(backups).values(row);
}

/** The newest first. */
export function findBackupRows(db: Db, projectId: string) {
  return db.select().from(backups).where(eq(backups.projectId, projectId)).orderBy(desc(backups.name));
}

export async function findBackupRow(db: Db, projectId: string, name: string) {
  const [row] = await db.select().from(backups).where(isBackup(projectId, name));
  return row;
}

export async function hasBackupRow(tx: Tx, projectId: string, name: string): Promise<boolean> {
  return (await tx.$count(backups, isBackup(projectId, name))) > 0;
}

export async function deleteBackupRow(db: Db, projectId: string, name: string) {
  await db.delete(backups).where(isBackup(projectId, name));
}

function isBackup(projectId: string, name: string) {
  return and(eq(backups.projectId, projectId), eq(backups.name, name));
}
