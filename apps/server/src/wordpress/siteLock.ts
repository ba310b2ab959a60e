/** The name of the lock of a site: whoever changes or packs it holds it. */
export function siteLock(projectId: string): string {
  return `site ${projectId}`;
}
