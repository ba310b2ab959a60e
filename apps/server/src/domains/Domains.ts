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
  /** A project lost its primary domain: its WordPress must move to another address. */
  onPrimaryLost(tx: Tx, projectId: string): Promise<void>;
}
