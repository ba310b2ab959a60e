import { join } from "node:path";

/** What a site's timetable says where nothing has been written down yet, as in a restored one: it is asked at once. */
export const dueNow = "1";

/** Where a site's own things lie. */
export function siteFolder(dataDir: string, id: string) {
  const root = join(dataDir, "sites", id);
  return {
    root,
    /** the customer's: uploads, plugins, themes */
    content: join(root, "wp-content"),
    /** the embedded database */
    database: join(root, "database"),
    /** what the site tells the platform */
    state: join(root, "state"),
    /** mail that waits to be sent */
    mail: join(root, "mail"),
    /** a copy of the database, made for a backup */
    backup: join(root, "backup"),
    /** says that it is installed, and on which WordPress: not in the site's own folder, which may not be ours to write */
    mark: join(dataDir, "installed", id),
    /** what WordPress is told of the site */
    settings: join(root, "site.json"),
  };
}
