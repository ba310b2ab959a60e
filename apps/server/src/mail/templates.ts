import type { Category, DnsRecord, ErrorKey, Language, MailTopic, SignInChange } from "@nido/contract";

/** What each message says besides its text. Dates are in ISO 8601, amounts in the smallest unit of the currency. */
export interface MailParams {
  confirmAddress: Secret<{ code: string; token: string }>;
  alreadyRegistered: object;
  noAccount: object;
  welcome: object;
  resetPassword: Secret<{ token: string }>;
  passwordChanged: object;
  confirmNewEmail: Secret<{ code: string; token: string }>;
  newEmailTaken: object;
  emailChanged: Secret<{ token: string }> & { newEmail: string };

  secondFactorChanged: { change: SignInChange };
  newDevice: { device: string; place: string; at: string };
  tokenCreated: { name: string; project: string | null };
  /** `key`: null for a password */
  accessAdded: ProjectParams & { key: string | null };

  ibanChanged: { end: string };
  exportReady: { until: string };
  accountClosing: { until: string; projects: string[] };
  accountReopened: object;
  accountRemoved: object;

  siteReady: ProjectParams & { url: string; category: Category };
  siteFailed: ProjectParams;
  projectDeleted: ProjectParams & { until: string };
  diskWarning: ProjectParams & { percent: 80 | 95 };
  backupFailed: ProjectParams;
  wordpressUpdated: ProjectParams & { version: string };
  updateUndone: ProjectParams & { version: string };

  receipt: Amount & { number: string; url: string | null };
  /** `asks`: the customer's bank wants the payment confirmed; absent from messages of earlier versions */
  paymentFailed: ProjectParams & Amount & PayParams & { reminder: number; suspendsAt: string; asks?: boolean };
  purchaseProcessing: { name: string };
  /** `path`: where it can be bought again */
  purchaseFailed: { name: string; path: string };
  suspended: ProjectParams & PayParams;
  restored: ProjectParams & { url: string };
  disputed: ProjectParams & Amount;
  disputeWon: ProjectParams & { url: string };
  disputeLost: ProjectParams;
  refunded: Amount;
  purchaseRefunded: Amount & { name: string };
  payoutRequested: Amount;
  payoutPaid: Amount;

  domainVerified: DomainParams;
  domainFailing: DomainParams & { records: DnsRecord[] };
  certificateProblem: DomainParams & { reason: ErrorKey };

  /** `name`: null if the site was deleted. `dueBy`: when the provider wants evidence. */
  operatorDispute: Amount & {
    id: string;
    name: string | null;
    subId: string;
    reason: string;
    state: "open" | "won" | "lost";
    dueBy: string | null;
  };
  operatorRefund: Amount & { id: string; problem: string };
}

interface ProjectParams {
  projectId: string;
  name: string;
}

interface DomainParams extends ProjectParams {
  domain: string;
}

interface PayParams {
  /** the provider's page on which it can be paid without signing in; absent from messages of earlier versions */
  url?: string | null;
}

interface Amount {
  amount: number;
  currency: string;
}

/** Parameters that open an account: the outbox holds them encrypted. */
interface Secret<Values> {
  secrets: Values;
}

export type MailName = keyof MailParams;
type SecretNames = { [Name in MailName]: MailParams[Name] extends Secret<unknown> ? Name : never }[MailName];
export type SecretMailName = SecretNames;
export type PlainMailName = Exclude<MailName, SecretNames>;

/** The messages to whoever runs the product. */
export type OperatorMailName = Extract<MailName, `operator${string}`>;

/** One message, from which both its HTML and its plain text are made. */
export interface MailContent {
  subject: string;
  paragraphs: string[];
  /** a code to type */
  code?: string;
  /** facts, as a table */
  facts?: [label: string, value: string][];
  /** the next step; `path` is an address of the dashboard, or a whole one */
  button?: { label: string; path: string };
  /** below the button, in small type */
  note?: string;
}

interface MailContext {
  brand: string;
  lang: Language;
}

export type MailTexts = { [Name in MailName]: (params: MailParams[Name], context: MailContext) => MailContent };

/** The topic of each message that customers can turn off. */
export const topicOf: Partial<Record<MailName, MailTopic>> = {
  welcome: "tips",
  siteReady: "sites",
  diskWarning: "sites",
  backupFailed: "sites",
  wordpressUpdated: "sites",
  updateUndone: "sites",
  domainVerified: "domains",
  domainFailing: "domains",
  certificateProblem: "domains",
};

/** How long a message is of use, if not for three days. */
export const minutesOf = { confirmAddress: 15, confirmNewEmail: 60, resetPassword: 30 };

/** The pages of the dashboard that messages link to. */
export const mailPaths = {
  confirmAddress: (token: string) => `/signup?token=${token}`,
  resetPassword: (token: string) => `/reset?token=${token}`,
  confirmEmail: (token: string) => `/confirm-email?token=${token}`,
  undoEmail: (token: string) => `/undo-email?token=${token}`,
  login: "/login",
  reset: "/reset",
  projects: "/projects",
  newProject: "/selectcategory",
  project: (id: string) => `/projects/${id}`,
  domains: (id: string) => `/projects/${id}?tab=configuration`,
  products: "/settings?tab=products",
  referrals: "/settings?tab=referrals",
  security: "/settings?tab=security",
  activity: "/settings?tab=activity",
  preferences: "/settings?tab=general",
  data: "/settings?tab=data",
};
