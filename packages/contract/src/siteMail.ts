/** What became of a message of a site. `waiting`: it is tried again. `held`: a staging copy sends none. */
export const siteMailStatuses = ["sent", "waiting", "refused", "dropped", "held"] as const;
export type SiteMailStatus = (typeof siteMailStatuses)[number];

/** Why a message waits or was not sent; otherwise it is what the mail server says. */
export const siteMailProblems = ["quota", "unreachable", "expired", "malformed"] as const;

export interface SiteMessage {
  id: number;
  /** ISO 8601 */
  at: string;
  recipients: string;
  subject: string;
  status: SiteMailStatus;
  problem?: string;
}

/** `GET /api/projects/{id}/mail` */
export interface SiteMail {
  /** the newest first */
  messages: SiteMessage[];
  /** recipients today, and how many the plan has */
  used: number;
  allowed: number;
  /** The mail server refused too many recipients. An operator has to allow the site's mail again. */
  is_suspended: boolean;
}
