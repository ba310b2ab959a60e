import type { SiteWork } from "./backups.ts";
import type { BilledDetail, TaxIdStatus } from "./billedDetails.ts";
import type { Branch, Deploy } from "./deploys.ts";
import type { ErrorKey } from "./errors.ts";
import type { Language } from "./languages.ts";
import type { MailTopic } from "./mail.ts";
import type { Interval, Recipe } from "./recipes.ts";
import type { StagingSite } from "./staging.ts";
import type { Task } from "./tasks.ts";

export interface User {
  avatar_url: string;
  given_name: string;
  family_name: string;
  email: string;
  address: string;
  city: string;
  state: string;
  zipcode: string;
  /** ISO 3166-1 alpha-2, or empty */
  country: string;
  phone: string;
  company_name: string;
  vat_number: string;
  /** the tax number on invoices, as the payment provider writes it; empty without one */
  invoice_tax_id: string;
  /** absent for kinds of numbers that are in no register */
  invoice_tax_id_status?: TaxIdStatus;
  /** what the payment provider refused, so that invoices show what was there before */
  refused_details: BilledDetail[];
  lang: Language;
  /** whether the account has a password */
  password: boolean;
  /** the kinds of mail that the customer has turned off */
  muted_mail: MailTopic[];
  /** ISO 8601 */
  created_at: string;
  last_login: string;
  /** when a closed account is removed, ISO 8601; absent while it is open */
  removal_at?: string;
  refcode: string;
}

export interface Domain {
  /** as the customer typed it */
  name: string;
  /** the ASCII host */
  domain: string;
  /** a subdomain of ours, which comes with the project and cannot be changed */
  controlled: boolean;
  branch: string;
  /** Only verified and failing domains are served. Failing: it was verified, and the grace period is running. */
  status: "pending" | "verified" | "failing";
  /** the address of a WordPress site; its other domains redirect to it */
  primary?: boolean;
  /** the host that this domain redirects to */
  redirects_to?: string;
  /** the DNS records that the domain needs */
  expected?: ExpectedRecord[];
  /** the DNS records that the last check found */
  seen?: DnsRecord[];
  /** why the domain is not verified */
  reason?: ErrorKey;
  /** ISO 8601; absent before the first check */
  checked_at?: string;
  /** of a domain that is served over HTTPS by the product itself */
  certificate?: Certificate;
}

export interface Certificate {
  status: "issuing" | "valid" | "problem";
  /** ISO 8601 */
  valid_until?: string;
  /** why there is none */
  reason?: ErrorKey;
}

export interface DnsRecord {
  type: "A" | "AAAA" | "CNAME" | "TXT";
  name: string;
  value: string;
}

export interface ExpectedRecord extends DnsRecord {
  /** the name as registrars want it, relative to the registered domain: `@`, `www` */
  host: string;
}

export type ProjectStatus = "provisioning" | "active" | "suspended" | "failed";

export interface Project {
  id: string;
  name: string;
  recipe: Recipe;
  recipe_id: string;
  sub_id: string;
  status: ProjectStatus;
  /** the current stage, while the status is `provisioning` */
  progress?: Task["progress"][number];
  /** the site at its controlled domain, including scheme and port */
  url: string;
  /** the site where its visitors find it: at its primary domain, or at the first that a static site has */
  address: string;
  /** the path of a picture of the site */
  picture?: string;
  /** when a WordPress site was last backed up, ISO 8601 */
  backed_up_at?: string;
  /** only for WordPress sites: what its owner asked for, while it runs, or if it failed */
  work?: SiteWork;
  /** only for WordPress sites */
  staging?: StagingSite;
  /** in bytes, from the last measurement */
  disk: { used: number; allowed: number };
  domains: Record<string, Domain>;
  /** whether browsers are told to use HTTPS only; absent if sites are served over plain HTTP */
  hsts?: boolean;
  /** the branches of a static site that ask for a password; an empty one stands for the whole site */
  passwords?: string[];
  /** only for static sites: what all deploys of the customer occupy, earlier ones included, in bytes */
  storage?: { used: number; allowed: number };
  /** only for static sites */
  deploys?: Record<string, Deploy>;
  /** only for static sites, by the name of the branch */
  branches?: Record<string, Branch>;
}

export interface Subscription {
  id: string;
  /** Unix time in seconds, as are the periods */
  created: number;
  current_period_start: number;
  current_period_end: number;
  plan: { amount: number; currency: string; interval: Interval };
  /** the subscription ends with the period instead of being renewed */
  cancel_at_period_end: boolean;
  /** a payment is overdue; the site is suspended after the grace period */
  past_due: boolean;
  /** since when, ISO 8601 */
  past_due_since?: string;
  /** how far the overdue payment has come: it waits for the customer's confirmation, or it takes some days */
  payment_step?: "confirm" | "processing";
  /** A payment is disputed, or a dispute has returned it to the customer: the site is suspended. */
  dispute?: "open" | "lost";
  /** it is in its trial: when the first payment is due, in seconds */
  trial_ends?: number;
}

/** A purchase whose payment takes days. Its project is made once the money is certain. */
export interface PendingPurchase {
  name: string;
  recipe: Recipe;
  /** ISO 8601 */
  since: string;
  /** of a WordPress */
  task_id?: string;
}

/** The state of a customer's dashboard: loaded by `GET /redux`, kept up to date by diffs. */
export interface CustomerState {
  /** grows by one with every change */
  rev: number;
  user: User;
  projects: Record<string, Project>;
  subscriptions: Record<string, Subscription>;
  purchases: Record<string, PendingPurchase>;
  /** the id of the newest entry in the activity log, which is read by its own call */
  activity: number;
}
