import type { Db, Tx } from "../db/connect.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import type { Dns } from "./Dns.ts";

/** The dependencies of verifying domains. */
export interface Domains {
  db: Db;
  dns: Dns;
  sites: SiteAddresses;
  /** A domain was verified. */
  onVerified(tx: Tx, domain: string): Promise<void>;
  /** A project has another primary domain: its WordPress must move to that address. */
  onPrimaryChanged(tx: Tx, projectId: string): Promise<void>;
}
