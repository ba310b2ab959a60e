import type { ErrorKey } from "./errors.ts";
import type { Category, Interval, Recipe } from "./recipes.ts";

/** What each kind of activity says. Dates are in ISO 8601, amounts in the smallest unit of the currency. */
export interface ActivityParams {
  accountCreated: object;
  signedIn: object;
  detailsChanged: { what: "address" | "phone" | "company" | "language" | "mail" | "iban" };
  passwordChanged: object;
  passwordReset: object;
  emailChanged: { from: string; to: string };
  emailRestored: { to: string };
  signInChanged: { change: SignInChange };
  sessionEnded: { device: string };
  otherSessionsEnded: object;
  tokenCreated: { token: string };
  tokenRevoked: { token: string };
  allTokensRevoked: object;
  payoutRequested: Amount;
  payoutPaid: Amount;
  invoicePaid: Amount & { number: string };
  paymentRefunded: Amount;
  exportRequested: object;
  accountClosed: { until: string };
  accountReopened: object;

  projectBought: InProject;
  /** a purchase whose payment takes days */
  purchaseProcessing: InProject;
  purchaseFailed: InProject;
  siteReady: InProject;
  siteFailed: InProject;
  projectDeleted: InProject & { until: string };
  projectEnded: InProject & { until: string };
  projectRestored: InProject;
  paymentFailed: InProject & Amount;
  /** the customer's bank wants the payment confirmed */
  paymentUnconfirmed: InProject & Amount;
  projectSuspended: InProject & { why: "payment" | "operator" | "dispute" };
  disputeLost: InProject;
  /** it could not be fulfilled */
  purchaseRefunded: InProject & Amount;
  projectResumed: InProject;
  renewalCancelled: InProject;
  planChanged: InProject & { recipe: Recipe; interval: Interval };
  renewalResumed: InProject;

  domainAdded: InDomain;
  domainRemoved: InDomain;
  domainVerified: InDomain;
  domainFailing: InDomain;
  domainLost: InDomain;
  certificateProblem: InDomain & { reason: ErrorKey };
  primaryChanged: InDomain;
  hstsChanged: InProject & { on: boolean };

  published: InProject & Release;
  rolledBack: InProject & Release;
  promoted: InProject & Release;
  branchRemoved: InProject & { branch: string };
  branchRestored: InProject & { branch: string };
  /** an empty branch: the whole site */
  sitePasswordChanged: InProject & { branch: string; on: boolean };

  diskWarning: InProject & { percent: number };
  backupFailed: InProject;
  backupMade: InProject & { note: string };
  backupDownloaded: InProject & { date: string };
  restoreStarted: InProject & { date: string };
  backupRestored: InProject;
  stagingMade: InProject;
  stagingRemoved: InProject;
  pushStarted: InProject;
  stagingPushed: InProject;
  wordpressUpdated: InProject & { version: string };
  updateUndone: InProject & { version: string };
  updateStarted: InProject & { items: string };
  itemsUpdated: InProject & { items: string };
  itemsUndone: InProject & { items: string };
  majorsChanged: InProject & { on: boolean };
  checkedPagesChanged: InProject;
  pluginsOff: InProject & { plugins: string };
  pluginsOn: InProject & { plugins: string };
  /** Their updates are made by themselves. */
  pluginsAutomatic: InProject & { plugins: string };
  pluginsManual: InProject & { plugins: string };
  usersReset: InProject & { users: string };
  pagesPurged: InProject;
  databaseChanged: InProject;
  rulesChanged: InProject;
  commandRun: InProject & { command: string };
  /** plugins and themes, in WordPress's own administration */
  adminChanged: InProject & { items: string };
  testMailSent: InProject;
  accessPasswordMade: InProject;
  accessPasswordRemoved: InProject;
  moveInSent: InProject & { name: string };
  moveInCopied: InProject & { name: string };
  moveInDiscarded: InProject;
  moveInStarted: InProject;
  siteMovedIn: InProject;
  accessKeyAdded: InProject & { key: string };
  accessKeyRemoved: InProject & { key: string };
  maintenanceChanged: InProject & { on: boolean };
  listingChanged: InProject & { on: boolean };
  debugChanged: InProject & { on: boolean };
}

/** A change of how a customer signs in. */
export type SignInChange =
  | "totpOn"
  | "twoStepOn"
  | "twoStepOff"
  | "codesRenewed"
  | "recoveryCodeUsed"
  | "passkeyAdded"
  | "passkeyRemoved"
  | "googleLinked"
  | "googleUnlinked";

interface InProject {
  /** the project's name */
  project: string;
}

interface InDomain extends InProject {
  domain: string;
}

interface Release {
  deploy: string;
  branch: string;
}

interface Amount {
  amount: number;
  currency: string;
}

export type ActivityKind = keyof ActivityParams;

/** Who did something: a signed-in browser, a token of the command-line tool, an operator, or the platform by itself. */
export interface Actor {
  kind: "session" | "token" | "operator" | "platform";
  /** of the browser or the token; may be empty */
  name: string;
  /** the network it came from, as an address prefix; may be empty */
  place: string;
}

/** What the purchase of a plan for a deleted project needs. */
export interface BuyBack {
  category: Category;
  /** of the WordPress administrator; empty for a static site */
  username: string;
}

type EntryOf<Kind extends ActivityKind> = {
  id: number;
  kind: Kind;
  params: ActivityParams[Kind];
  /** null if it concerns the account */
  project_id: string | null;
  actor: Actor;
  /** ISO 8601 */
  created_at: string;
  /** how it can be undone: at once, or by buying a plan for the project */
  undo?: "free" | BuyBack;
  /** It has been undone. */
  is_undone: boolean;
};

/** An entry of the activity log. */
export type ActivityEntry = { [Kind in ActivityKind]: EntryOf<Kind> }[ActivityKind];

/** `GET /api/activity` */
export interface ActivityPage {
  /** the newest first */
  entries: ActivityEntry[];
  /** `before` of the next page; absent on the last one */
  next?: number;
}
