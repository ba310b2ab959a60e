import type { SignInChange } from "@nido/contract";
import { errorTexts } from "@nido/contract/errorTexts/en";
import { type MailTexts, mailPaths } from "../templates.ts";
import { formatDay, formatMoment, formatMoney } from "./format.ts";

const notYou = "If it wasn't you, choose a new password right away and write to us.";

const changes: Record<SignInChange, string> = {
  totpOn: "Two-step verification with an authenticator app is on.",
  twoStepOn: "Two-step verification with your passkeys is on.",
  twoStepOff: "Two-step verification is off.",
  codesRenewed: "You have new recovery codes. The earlier ones no longer work.",
  recoveryCodeUsed: "One of your recovery codes was used. It can't be used again.",
  passkeyAdded: "A passkey was added. It can be used to sign in without a password.",
  passkeyRemoved: "A passkey was removed.",
  googleLinked: "A Google account was linked. It can be used to sign in to your account.",
  googleUnlinked: "Your Google account was unlinked. It can no longer be used to sign in.",
};

export const en: MailTexts = {
  confirmAddress: ({ secrets: { code, token } }, { brand }) => ({
    subject: `${code} is your ${brand} code`,
    paragraphs: [`Type this code to create your ${brand} account. It's valid for 15 minutes.`],
    code,
    button: { label: "Confirm my e-mail", path: mailPaths.confirmAddress(token) },
    note: "If you didn't ask for it, ignore this message: no account will be created.",
  }),
  alreadyRegistered: (_, { brand }) => ({
    subject: `You already have a ${brand} account`,
    paragraphs: [
      `Someone, probably you, tried to create a ${brand} account with this address. It already has one, so you can simply sign in.`,
    ],
    button: { label: "Sign in", path: mailPaths.login },
    note: "If you have forgotten your password, you can choose a new one on that page. If it wasn't you, you don't need to do anything.",
  }),
  noAccount: (_, { brand }) => ({
    subject: `There is no ${brand} account with this address`,
    paragraphs: [
      `Someone, probably you, asked for a new password for ${brand}. No account has this address: perhaps you signed up with another one.`,
    ],
    button: { label: "Create an account", path: "/signup" },
    note: "If it wasn't you, you don't need to do anything.",
  }),
  welcome: (_, { brand }) => ({
    subject: `Welcome to ${brand}`,
    paragraphs: ["Your account is ready. Create your first site: it takes about a minute."],
    button: { label: "Create a site", path: mailPaths.newProject },
  }),
  resetPassword: ({ secrets: { token } }, { brand }) => ({
    subject: `Choose a new ${brand} password`,
    paragraphs: [
      "You asked for a new password. The link works once, for 30 minutes. Your current password works until you choose a new one.",
    ],
    button: { label: "Choose a new password", path: mailPaths.resetPassword(token) },
    note: "If it wasn't you, ignore this message: your password doesn't change.",
  }),
  passwordChanged: (_, { brand }) => ({
    subject: `Your ${brand} password was changed`,
    paragraphs: ["Your password was changed just now. You were signed out of all other browsers."],
    button: { label: "It wasn't me", path: mailPaths.reset },
    note: notYou,
  }),
  confirmNewEmail: ({ secrets: { code, token } }, { brand }) => ({
    subject: `${code} confirms your new ${brand} address`,
    paragraphs: [
      `Confirm that this is the new e-mail address of your ${brand} account. The code is valid for an hour.`,
    ],
    code,
    button: { label: "Confirm the new address", path: mailPaths.confirmEmail(token) },
    note: "If you didn't ask for it, ignore this message: nothing will change.",
  }),
  newEmailTaken: (_, { brand }) => ({
    subject: `This address already has a ${brand} account`,
    paragraphs: [
      `Someone tried to use this address for another ${brand} account. An address can only have one account, so nothing has changed.`,
    ],
    note: "If it was you: close one of the two accounts first, or choose another address.",
  }),
  emailChanged: ({ newEmail, secrets: { token } }, { brand }) => ({
    subject: `The e-mail address of your ${brand} account was changed`,
    paragraphs: [
      `Your account now uses the address ${newEmail}. If it wasn't you, you can undo the change for 72 hours. If you do, we'll sign you out of all browsers and send you a link to choose a new password.`,
    ],
    button: { label: "It wasn't me: undo", path: mailPaths.undoEmail(token) },
  }),

  secondFactorChanged: ({ change }, { brand }) => ({
    subject: `The way you sign in to ${brand} has changed`,
    paragraphs: [changes[change]],
    button: { label: "Check my security", path: mailPaths.security },
    note: notYou,
  }),
  newDevice: ({ device, place, at }, { brand, lang }) => ({
    subject: `New sign-in to your ${brand} account`,
    paragraphs: ["Someone signed in to your account from a new browser. If it was you, you don't need to do anything."],
    facts: [
      ["Browser", device || "unknown"],
      ["Network", place],
      ["When", formatMoment(at, lang)],
    ],
    button: { label: "See where I am signed in", path: mailPaths.security },
    note: notYou,
  }),
  ibanChanged: ({ end }, { brand }) => ({
    subject: `The account for your ${brand} payouts has changed`,
    paragraphs: ["The payouts that you request for your referrals will go to this account."],
    facts: [["Ends in", end]],
    button: { label: "See my referrals", path: mailPaths.referrals },
    note: notYou,
  }),
  accessAdded: ({ projectId, name, key }) => ({
    subject: `New SFTP access to ${name}`,
    paragraphs: ["Whoever has this access can read and change the site's files. You can remove it at any time."],
    facts: [["Access", key === null ? "a password" : `the key “${key}”`]],
    button: { label: "Review SFTP access", path: mailPaths.project(projectId) },
    note: notYou,
  }),
  tokenCreated: ({ name, project }, { brand }) => ({
    subject: `New ${brand} token for the command line`,
    paragraphs: ["A program that has this token can publish your sites. You can revoke it at any time."],
    facts: [
      ["Name", name],
      ["Project", project ?? "all"],
    ],
    button: { label: "See my tokens", path: mailPaths.security },
    note: notYou,
  }),

  exportReady: ({ until }) => ({
    subject: "The copy of your data is ready",
    paragraphs: [
      `You can download the copy of your data now. The link works until ${formatMoment(until, "en")}; then we delete it.`,
    ],
    button: { label: "Download my data", path: mailPaths.data },
    note: notYou,
  }),
  accountClosing: ({ until, projects }, { brand }) => ({
    subject: `Your ${brand} account is closed`,
    paragraphs: [
      "You closed your account. Your subscriptions have ended, and you won't be charged again.",
      ...(projects.length > 0 ? [`We archived these sites: ${projects.join(", ")}.`] : []),
      `If you change your mind, sign in before ${formatDay(until, "en")} and reopen it. After that we delete everything except what bookkeeping law requires us to keep.`,
    ],
    button: { label: "Reopen my account", path: mailPaths.login },
    note: notYou,
  }),
  accountReopened: (_, { brand }) => ({
    subject: `Your ${brand} account is open again`,
    paragraphs: [
      "You reopened your account. The sites whose paid period hasn't ended are available again.",
      "You can get the others back with a plan, on the “Activity” tab in Settings.",
    ],
    button: { label: "See my projects", path: mailPaths.projects },
    note: notYou,
  }),
  accountRemoved: (_, { brand }) => ({
    subject: `We deleted your ${brand} account`,
    paragraphs: [
      "You closed your account 30 days ago. We have deleted it with all your data, except what bookkeeping law requires us to keep: your invoices, your subscriptions and the payouts for your referrals.",
      "Thank you for trusting us.",
    ],
  }),

  siteReady: ({ projectId, name, url, category }) =>
    category === "wordpress"
      ? {
          subject: `${name} is ready`,
          paragraphs: [
            "Your WordPress site is running. Open it with one click from its page: you don't need another password.",
          ],
          facts: [["Address", url]],
          button: { label: "Manage the site", path: mailPaths.project(projectId) },
        }
      : {
          subject: `${name} is ready`,
          paragraphs: ["Your static site now has an address. Publish your files with the command “nido publish”."],
          facts: [["Address", url]],
          button: { label: "How to publish", path: mailPaths.project(projectId) },
        },
  siteFailed: ({ projectId, name }) => ({
    subject: `We couldn't create ${name}`,
    paragraphs: [
      "Something went wrong on our side while we were preparing your site. We know about it and are looking into it. If you prefer, delete the project: its subscription ends with it.",
    ],
    button: { label: "See the project", path: mailPaths.project(projectId) },
  }),
  projectDeleted: ({ name, until }, { lang }) => ({
    subject: `${name} was deleted`,
    paragraphs: [
      `The site no longer answers, and its subscription has ended. We keep a copy until ${formatDay(until, lang)}. You can get it back until then.`,
    ],
    button: { label: "See recent activity", path: mailPaths.activity },
    note: notYou,
  }),
  diskWarning: ({ projectId, name, percent }) => ({
    subject: `${name} has used ${percent}% of its space`,
    paragraphs: [
      percent === 95
        ? "When the space is full, the site won't be able to store files, such as images you upload. Delete what you no longer need, or choose a larger plan."
        : "There is still room, but it's a good time to delete what you no longer need, or to choose a larger plan.",
    ],
    button: { label: "See its disk use", path: mailPaths.project(projectId) },
  }),
  backupFailed: ({ projectId, name }) => ({
    subject: `The backup of ${name} failed twice`,
    paragraphs: [
      "The last two nightly backups of your site failed. The site works, and earlier backups are safe. We know about it and are looking into it.",
    ],
    button: { label: "See the project", path: mailPaths.project(projectId) },
  }),
  wordpressUpdated: ({ projectId, name, version }) => ({
    subject: `${name} now runs WordPress ${version}`,
    paragraphs: ["We updated WordPress and checked that your site works as before."],
    button: { label: "See the project", path: mailPaths.project(projectId) },
  }),
  updateUndone: ({ projectId, name, version }) => ({
    subject: `The update of ${name} was undone`,
    paragraphs: [
      `With WordPress ${version} your site stopped working, so we went back to the earlier version. The cause is often a plugin or a theme: update them in the WordPress admin.`,
    ],
    button: { label: "See the project", path: mailPaths.project(projectId) },
  }),

  receipt: ({ number, url, ...money }, { brand, lang }) => ({
    subject: `Receipt ${number} from ${brand}`,
    paragraphs: ["Thank you. We have received your payment."],
    facts: [
      ["Amount", formatMoney(money, lang)],
      ["Invoice", number],
    ],
    button: url ? { label: "Open the invoice", path: url } : { label: "See my products", path: mailPaths.products },
  }),
  paymentFailed: ({ name, reminder, suspendsAt, asks, url, ...money }, { lang }) => ({
    subject: asks
      ? `Your bank asks you to confirm the payment for ${name}`
      : reminder === 1
        ? `We couldn't take the payment for ${name}`
        : `Reminder: the payment for ${name} is still due`,
    paragraphs: [
      asks
        ? `Your bank only makes this payment if you confirm it. Do it before ${formatDay(suspendsAt, lang)}, so that the site stays online. Nothing is deleted if you need longer.`
        : `The payment was declined. Pay before ${formatDay(suspendsAt, lang)}, so that the site stays online. Nothing is deleted if you need longer.`,
    ],
    facts: [["Amount", formatMoney(money, lang)]],
    button: { label: asks ? "Confirm the payment" : "Pay now", path: url ?? mailPaths.products },
  }),
  purchaseProcessing: ({ name }) => ({
    subject: `The payment for ${name} is being processed`,
    paragraphs: [
      "Thank you for your order. Your bank takes a few working days to make the payment. We'll keep the name for you until then, and create the site as soon as the payment has gone through. We'll write to you.",
    ],
    button: { label: "See my projects", path: mailPaths.projects },
  }),
  purchaseFailed: ({ name, path }) => ({
    subject: `The payment for ${name} failed`,
    paragraphs: [
      "Your bank didn't make the payment. You haven't been charged, and we haven't created the site. The name is free again: if you still want it, buy it by card.",
    ],
    button: { label: "Try again", path },
  }),
  suspended: ({ name, url }) => ({
    subject: `${name} is suspended`,
    paragraphs: [
      "The payment is still due, so visitors no longer see the site. Everything in it is safe: it'll be back as soon as you pay.",
    ],
    button: { label: "Pay now", path: url ?? mailPaths.products },
  }),
  restored: ({ name, url }) => ({
    subject: `${name} is online again`,
    paragraphs: ["Thank you for your payment. Visitors see your site again."],
    button: { label: "Open the site", path: url },
  }),
  disputed: ({ projectId, name, ...money }, { lang }) => ({
    subject: `${name} is suspended: your bank disputes a payment`,
    paragraphs: [
      `Your bank has told us that the payment of ${formatMoney(money, lang)} for ${name} is disputed. Until it decides, visitors don't see the site. Everything in it is safe.`,
      "If you didn't mean to dispute it, ask your bank to withdraw the dispute, and reply to this message so that we can tell the bank too.",
    ],
    button: { label: "See the project", path: mailPaths.project(projectId) },
  }),
  disputeWon: ({ name, url }) => ({
    subject: `${name} is online again`,
    paragraphs: ["The dispute about your payment is over, and the payment stands. Visitors see your site again."],
    button: { label: "Open the site", path: url },
  }),
  disputeLost: ({ name }) => ({
    subject: `${name} stays suspended: your bank gave you the payment back`,
    paragraphs: [
      "Your bank decided the dispute in your favour and returned your money. So the site stays suspended, and its subscription won't be renewed: you won't be charged for it again.",
      "If you want the site back, delete the project, then bring it back with a new plan on the “Activity” tab in Settings. Or reply to this message.",
    ],
    button: { label: "See recent activity", path: mailPaths.activity },
  }),
  refunded: (money, { lang }) => ({
    subject: `We've refunded ${formatMoney(money, lang)}`,
    paragraphs: ["The money is on its way to the card or account you paid with. It can take up to ten days to appear."],
    button: { label: "See my invoices", path: mailPaths.products },
  }),
  purchaseRefunded: ({ name, ...money }, { lang }) => ({
    subject: `We couldn't complete the purchase of ${name}`,
    paragraphs: [
      "Your purchase couldn't be completed, so we haven't created the site, and its subscription has ended.",
      money.amount > 0
        ? `We've refunded ${formatMoney(money, lang)}. The money is on its way to the card or account you paid with. It can take up to ten days to appear.`
        : "You haven't been charged.",
    ],
    button: { label: "Create a site", path: mailPaths.newProject },
  }),
  payoutRequested: (money, { lang }) => ({
    subject: "We've received your payout request",
    paragraphs: [`We'll pay you ${formatMoney(money, lang)} and let you know when it's done.`],
    button: { label: "See my referrals", path: mailPaths.referrals },
    note: notYou,
  }),
  payoutPaid: (money, { lang }) => ({
    subject: "Your payout is on its way",
    paragraphs: [`We've paid you ${formatMoney(money, lang)}. Thank you for recommending us.`],
    button: { label: "See my referrals", path: mailPaths.referrals },
  }),

  domainVerified: ({ projectId, domain }) => ({
    subject: `${domain} works`,
    paragraphs: [`${domain} now shows your site. We request its certificate automatically.`],
    button: { label: "See the domains", path: mailPaths.domains(projectId) },
  }),
  domainFailing: ({ projectId, domain, records }) => ({
    subject: `${domain} no longer points to us`,
    paragraphs: [
      "Its DNS records have changed. The domain will keep showing your site for three days at most. Create these records again where you manage the domain:",
    ],
    facts: records.map(({ type, name, value }) => [`${type} ${name}`, value]),
    button: { label: "See what's wrong", path: mailPaths.domains(projectId) },
  }),
  certificateProblem: ({ projectId, domain, reason }) => ({
    subject: `No certificate for ${domain}`,
    paragraphs: [errorTexts[reason]],
    button: { label: "See the domain", path: mailPaths.domains(projectId) },
  }),

  operatorDispute: ({ id, name, subId, reason, state, dueBy, ...money }, { lang }) => ({
    subject: { open: "A payment is disputed", won: "A dispute was won", lost: "A dispute was lost" }[state],
    paragraphs: [
      {
        open: "The site is suspended until the bank decides. Answer with evidence in Stripe, or accept the dispute there.",
        won: "The payment stands. The site is online again, unless something else suspends it.",
        lost: "The customer has the money back. The site stays suspended, and its subscription is not renewed.",
      }[state],
    ],
    facts: [
      ["Site", name ?? "deleted"],
      ["Amount", formatMoney(money, lang)],
      ["Reason", reason],
      ["Dispute", id],
      ["Subscription", subId],
      ...(dueBy ? [["Evidence due", formatMoment(dueBy, lang)] satisfies [string, string]] : []),
    ],
  }),
  operatorRefund: ({ id, problem, ...money }, { lang }) => ({
    subject: "A refund needs your attention",
    paragraphs: ["A customer is owed money that could not be refunded. “npm run refunds” lists what is owed and why."],
    facts: [
      ["Amount", formatMoney(money, lang)],
      ["Problem", problem],
      ["Refund", id],
    ],
  }),
};
