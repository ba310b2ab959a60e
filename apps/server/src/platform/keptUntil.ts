/** How long deleted projects and closed accounts are kept. */
export const archiveDays = 30;

/** When something that is archived now will be removed, in ISO 8601. */
export function keptUntil(archivedAt = new Date()): string {
  return new Date(archivedAt.getTime() + archiveDays * 24 * 60 * 60 * 1000).toISOString();
}
