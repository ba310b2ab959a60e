import { and, desc, eq, getTableColumns } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { backups, type SiteContent } from "../db/schema.ts";

export async function insertBackupRow(db: Db, row: typeof backups.$inferInsert) {
  await db.insert(backups).values(row);
}

const { content, ...withoutContent } = getTableColumns(backups);

/** The newest first. */
export function findBackupRows(db: Db, projectId: string) {
  return db.select(withoutContent).from(backups).where(eq(backups.projectId, projectId)).orderBy(desc(backups.name));
}

/** What the site contained, by the names of its backups. */
export async function findContents(db: Db, projectId: string): Promise<Map<string, SiteContent>> {
  const rows = await db.select({ name: backups.name, content }).from(backups).where(eq(backups.projectId, projectId));
  return new Map(rows.flatMap((row) => (row.content ? [[row.name, row.content]] : [])));
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
