import { join } from "node:path";

/** The paths of a site's files. */
export function siteFolder(dataDir: string, id: string) {
  const root = join(dataDir, "sites", id);
  const snapshot = join(dataDir, "snapshots", id);
  return {
    root,
    /** the customer's: uploads, plugins, themes */
    content: join(root, "wp-content"),
    /** the embedded database */
    database: join(root, "database"),
    /** files by which the site tells the platform something */
    state: join(root, "state"),
    /** rewritten with every change that visitors would see */
    pages: join(root, "state", "pages"),
    /** when the site's next WP-Cron event is due, in seconds since 1970 */
    nextCron: join(root, "state", "next-cron"),
    /** the most memory that a request has needed, in bytes */
    memory: join(root, "state", "memory"),
    /** outgoing mail */
    mail: join(root, "mail"),
    snapshot,
    /** a copy of the database, made for a backup; outside the site's folder, so that a full site can be backed up */
    backup: join(snapshot, "backup"),
    /** holds the WordPress version once the site is installed; outside the site's folder, which another user may own */
    installedMark: join(dataDir, "installed", id),
    /** the site's configuration, read by wp-config.php */
    settings: join(root, "site.json"),
  };
}
