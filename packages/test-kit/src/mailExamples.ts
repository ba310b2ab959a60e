import type { MailName, MailParams } from "@nido/server/mail/templates";

const project = { projectId: "2f0c9a3e-7f3d-4a55-9d2f-3a3d0b3f0a11", name: "floristeria" };
const money = { amount: 5900, currency: "eur" };
const token = "x".repeat(43);
const domain = { ...project, domain: "www.floristeria.example" };

/** Sample parameters of every message, for tests and pictures. */
export const mailExamples: { [Name in MailName]: MailParams[Name] } = {
  confirmAddress: { secrets: { code: "042317", token } },
  alreadyRegistered: {},
  noAccount: {},
  welcome: {},
  resetPassword: { secrets: { token } },
  passwordChanged: {},
  confirmNewEmail: { secrets: { code: "042317", token } },
  newEmailTaken: {},
  emailChanged: { newEmail: "ana@new.example", secrets: { token } },
  secondFactorChanged: { change: "passkeyAdded" },
  newDevice: { device: "Firefox · Linux", place: "203.0.113.*", at: "2026-11-17T08:30:00Z" },
  tokenCreated: { name: "GitHub Actions", project: "floristeria" },
  accessAdded: { ...project, key: "Portátil" },
  ibanChanged: { end: "1332" },
  exportReady: { until: "2026-02-12T10:30:00.000Z" },
  accountClosing: { until: "2026-03-13T10:30:00.000Z", projects: ["panaderialuz", "estudiomarin"] },
  accountReopened: {},
  accountRemoved: {},
  siteReady: { ...project, url: "https://floristeria.sites.example", category: "wordpress" },
  siteFailed: project,
  projectDeleted: { ...project, until: "2026-12-17T00:00:00Z" },
  diskWarning: { ...project, percent: 95 },
  backupFailed: project,
  wordpressUpdated: { ...project, version: "6.9.1" },
  updateUndone: { ...project, version: "6.9.1" },
  receipt: { ...money, number: "NIDO-0042", url: "https://pay.example/invoice/42" },
  paymentFailed: { ...project, ...money, reminder: 1, suspendsAt: "2026-11-24T00:00:00Z" },
  suspended: project,
  restored: { ...project, url: "https://floristeria.sites.example" },
  payoutRequested: money,
  payoutPaid: money,
  domainVerified: domain,
  domainFailing: { ...domain, records: [{ type: "CNAME", name: "www", value: "floristeria.sites.example" }] },
  certificateProblem: { ...domain, reason: "error_certificate_caa" },
};
