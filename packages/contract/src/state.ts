import type { Branch, Deploy } from "./deploys.ts";
import type { ErrorKey } from "./errors.ts";
import type { Language } from "./languages.ts";
import type { Interval, Recipe } from "./recipes.ts";
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
  lang: Language;
  /** whether the account has one */
  password: boolean;
  /** ISO 8601 */
  created_at: string;
  last_login: string;
  refcode: string;
}

export interface Domain {
  /** as the customer typed it */
  name: string;
  /** the ASCII host */
  domain: string;
  /** ours: it comes with the project and cannot be changed */
  controlled: boolean;
  branch: string;
  /** only what is verified is served; what is failing was verified, and is served for some days more */
  status: "pending" | "verified" | "failing";
  /** what a WordPress calls itself; visitors of its other domains are sent there */
  primary?: boolean;
  /** the host that visitors are sent to */
  redirects_to?: string;
  /** the records that DNS should have, and those that it had when it was last asked */
  expected?: DnsRecord[];
  seen?: DnsRecord[];
  /** why it is not verified */
  reason?: ErrorKey;
  /** ISO 8601; absent before the first time */
  checked_at?: string;
}

export interface DnsRecord {
  type: "A" | "AAAA" | "CNAME" | "TXT";
  name: string;
  value: string;
}

export type ProjectStatus = "provisioning" | "active" | "suspended" | "failed";

export interface Project {
  id: string;
  name: string;
  recipe: Recipe;
  recipe_id: string;
  sub_id: string;
  status: ProjectStatus;
  /** how far its making is, while its status is `provisioning` */
  progress?: Task["progress"][number];
  /** where the site answers, scheme and port included */
  url: string;
  /** in bytes, as last measured */
  disk: { used: number; allowed: number };
  domains: Record<string, Domain>;
  /** of a static site: what can be shown or is being sent, and what is shown, by branch */
  deploys?: Record<string, Deploy>;
  branches?: Record<string, Branch>;
}

export interface Subscription {
  id: string;
  /** seconds since 1970, as are the periods */
  created: number;
  current_period_start: number;
  current_period_end: number;
  plan: { amount: number; currency: string; interval: Interval };
  /** it runs out at the period's end instead of being renewed */
  cancel_at_period_end: boolean;
  /** a payment is owed; the site is taken down when that goes on */
  past_due: boolean;
}

/** What a signed-in customer's dashboard holds: `GET /redux`, kept up to date by diffs. */
export interface CustomerState {
  /** grows by one with every change */
  rev: number;
  user: User;
  projects: Record<string, Project>;
  subscriptions: Record<string, Subscription>;
}
