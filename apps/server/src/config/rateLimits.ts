/** How often something may be done by one subject: an address, a customer, a site, or a site's visitor. */
export interface RateLimit {
  max: number;
  minutes: number;
}

const day = 24 * 60;

/**
 * All rate limits. `RateLimiter` counts them in the database, for all processes and machines together. An IPv6
 * address counts by its /64 network, because one subscriber usually has a whole /64.
 */
export const rateLimits = {
  /** Guessing passwords from one address, whatever the account. Successful sign-ins do not count. */
  signInByAddress: { max: 20, minutes: 15 },
  /** Guessing the password of one account from one address. Not by account alone: that would lock its owner out. */
  signInByAccount: { max: 10, minutes: 15 },
  /** All sign-in requests from one address, successful or not: each costs a password hash. */
  signInRequests: { max: 120, minutes: 1 },
  /** Redirects to Google and back, by address. */
  googleSignIn: { max: 60, minutes: 1 },
  /** Sign-ups, resets and confirmations, by address: each costs a password hash or a message. */
  accountRequests: { max: 120, minutes: 5 },
  /** Messages with a link or a code that anybody can cause, by the address that gets them. */
  mailRequests: { max: 20, minutes: 60 },
  /** The same by network and address: a stranger elsewhere cannot keep the owner from asking. */
  mailRequestsFrom: { max: 5, minutes: 60 },
  /** Codes typed for one address, over all its sign-ups. */
  codeTries: { max: 50, minutes: day },
  /** Reading the security settings, by address: several queries each. */
  securityReads: { max: 240, minutes: 1 },
  /** Archives of a customer's data, by customer: each reads everything that they have. */
  dataExports: { max: 3, minutes: day },
  exportDownloads: { max: 20, minutes: 60 },
  /** Pages of the activity log, by address. */
  activity: { max: 240, minutes: 1 },
  /** The overview of a project, by address: charts and pictures. */
  projectReads: { max: 240, minutes: 1 },
  /** Commands of WP-CLI, by address. */
  siteCommands: { max: 30, minutes: 1 },
  /** Requests of the dashboard that run a site's PHP or end its cached pages, by address. */
  siteCare: { max: 60, minutes: 1 },
  /** Conversions of images into WebP and AVIF, by project: each takes about a second of a processor. */
  imageForms: { max: 200, minutes: 60 },
  /** Backups, restores, staging copies and updates that an owner asks for, by project: each reads a whole site. */
  siteBackups: { max: 20, minutes: 60 },
  /** Backups before changes in WordPress's own screens, by project: the site itself can cause them. */
  adminBackups: { max: 6, minutes: 60 },
  /** Attempts to reach the files of a site by SFTP, by address. Right ones do not count. */
  sftpLogin: { max: 20, minutes: 15 },
  /** Parts of archives that are moved in, by project. */
  moveInParts: { max: 600, minutes: 1 },
  /** Other sites that are asked whether they can be copied, by address: it must not serve to attack them. */
  moveInSources: { max: 30, minutes: 10 },
  /** Test messages of a site to its owner, by project. */
  testMail: { max: 10, minutes: 60 },
  /** Turning mail off by its link. */
  unsubscribe: { max: 60, minutes: 1 },
  /** Guessing a second factor, by customer. Right answers do not count. */
  secondFactor: { max: 20, minutes: 15 },
  signOut: { max: 60, minutes: 1 },
  /** Guessing the current password with a stolen session, by customer. */
  currentPassword: { max: 10, minutes: 15 },
  /** Remote actions of one customer. Each takes a transaction and is pushed to all of their open dashboards. */
  actions: { max: 120, minutes: 1 },
  /** Lookups of names and promotion codes, by address: without a limit, one could list all that exist. */
  nameAvailability: { max: 60, minutes: 1 },
  promotion: { max: 60, minutes: 1 },
  /** Calls to the payment provider, which has limits of its own for all customers together. */
  checkout: { max: 120, minutes: 1 },
  billingPortal: { max: 30, minutes: 1 },
  billingReads: { max: 60, minutes: 1 },
  /** One-click sign-ins to WordPress. */
  ssoToken: { max: 30, minutes: 1 },
  /** Guessing a user code of the device login, by address. It has 20^8 possibilities and lives ten minutes. */
  cliLogin: { max: 30, minutes: 1 },
  /** A CLI that waits for the customer's approval asks every two seconds. */
  cliLoginPoll: { max: 120, minutes: 1 },
  /** Deploy plans of one customer: each may list 100,000 files. */
  deployPlans: { max: 120, minutes: 1 },
  /** Requests that upload files, finish a deploy or roll back, by customer. */
  deployRequests: { max: 3000, minutes: 1 },
  /** Reports about deploys, of one customer. */
  deployReports: { max: 200, minutes: 1 },
  /** Reading the requests of the last minutes, by customer: each is a question to all processes. */
  requestLogs: { max: 90, minutes: 1 },
  /** New passwords of a customer's static sites: each is hashed. */
  sitePasswordChanges: { max: 20, minutes: 1 },
  /** Guessing the password of a static site: by site and visitor, and by site. */
  sitePassword: { max: 10, minutes: 1 },
  sitePasswords: { max: 100, minutes: 1 },
  /** Guessing a WordPress password, by site and visitor. */
  wordpressLogin: { max: 20, minutes: 2 },
  /** Recipients of a site's mail a day, by plan: enough for a shop's orders, too few for spam. */
  mailStarter: { max: 200, minutes: day },
  mailPro: { max: 1000, minutes: day },
  mailBusiness: { max: 3000, minutes: day },
  /** Recipients that the mail server refused for good: with more in a day, the site's mail is suspended. */
  mailRefused: { max: 25, minutes: day },
} satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;
