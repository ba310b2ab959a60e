import { expireSession, paySession } from "../checkout.ts";
import { verifyTaxId } from "../customers.ts";
import { closeDispute } from "../disputes.ts";
import type { Objects } from "../objects.ts";
import { setPaused } from "../pauses.ts";
import { intentOf, settle } from "../payInvoice.ts";
import { slowRefundCard } from "../refunds.ts";
import type { StripeContext } from "../StripeContext.ts";
import { settleDebit } from "../settleDebit.ts";
import type { Method } from "../startSubscription.ts";
import { beginPeriod, cancel, chargeAgain, endPeriod, scheduleEnd, setStatus } from "../subscriptions.ts";
import { checkoutPage } from "./checkoutPage.ts";
import { controlPage } from "./controlPage.ts";
import { controlPayment, isPaymentAction } from "./controlPayment.ts";
import { languageOf } from "./format.ts";
import { invoicePage, portalPage } from "./portalPage.ts";

export type PageAnswer = { html: string } | { location: string };

/** Serves a hosted page, or performs the action of a form that was submitted on it. */
export function answerPage(
  context: StripeContext,
  path: string,
  form: URLSearchParams | undefined,
): PageAnswer | undefined {
  const [, kind = "", id = ""] =
    /^\/stripe(?:\/(pay|portal|invoice|subscription|dispute|tax-id)\/([\w-]+))?\/?$/.exec(path) ?? [];
  const action = form?.get("action") ?? "";
  return context.store.transaction(() => {
    if (kind === "pay") return pay(context, id, action);
    if (kind === "portal") return portal(context, id, action, form?.get("subscription") ?? "");
    if (kind === "invoice") return invoice(context, id, action);
    if (kind === "subscription") return control(context, id, action);
    if (kind === "tax-id") return register(context, id, action);
    if (path === "/stripe/settings") return changeSettings(context, action);
    if (kind === "dispute") return decide(context, id, action);
    return /^\/stripe\/?$/.test(path) ? { html: controlPage(context) } : undefined;
  });
}

function pay(context: StripeContext, id: string, action: string): PageAnswer | undefined {
  const session = context.store.find("checkout.session", id);
  if (!session) return undefined;
  const method = methods[action];
  if (
    method &&
    session.status === "open" &&
    (method !== "debit" || session.payment_method_types.includes("sepa_debit"))
  ) {
    paySession(context, session, method);
    return { location: (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", id) };
  }
  if (action === "expire" && session.status === "open")
    return { html: checkoutPage(context, expireSession(context, session)) };
  const attempt = (["decline", "ask", "refuse"] as const).find((name) => name === action);
  return { html: checkoutPage(context, session, attempt) };
}

/** The buttons of the payment page that pay. */
const methods: Partial<Record<string, Method>> = { pay: "card", confirm: "confirmedCard", debit: "debit" };

function portal(context: StripeContext, id: string, action: string, subscriptionId: string): PageAnswer | undefined {
  const session = context.store.find("billing_portal.session", id);
  if (!session) return undefined;
  const subscription = context.store.find("subscription", subscriptionId);
  if (subscription && subscription.customer === session.customer) {
    if (action === "cancel") scheduleEnd(context, subscription, { isByDate: true });
    if (action === "resume") scheduleEnd(context, subscription, undefined);
    if (action === "goodCard" || action === "badCard")
      replaceCard(context, subscriptionId, action === "goodCard" ? "good" : "bad");
    return { location: `/stripe/portal/${id}` };
  }
  return { html: portalPage(context, session) };
}

function invoice(context: StripeContext, id: string, action: string): PageAnswer | undefined {
  const found = context.store.find("invoice", id);
  const subscriptionId = found?.parent?.subscription_details?.subscription;
  if (found?.status === "open" && typeof subscriptionId === "string" && !isProcessing(context, found.id)) {
    if (action === "pay" || action === "debit") {
      replaceCard(context, subscriptionId, action === "pay" ? "good" : "debit");
      chargeAgain(context, subscriptionId);
    }
    if (action === "confirm") confirmPayment(context, found, subscriptionId);
    if (action !== "") return { location: `/stripe/invoice/${id}` };
  }
  const customer = found && context.store.find("customer", found.customer as string);
  return found && { html: invoicePage(context, found, languageOf(customer?.preferred_locales?.[0] ?? null)) };
}

function control(context: StripeContext, id: string, action: string): PageAnswer | undefined {
  const subscription = context.store.find("subscription", id);
  if (!subscription) return undefined;
  if (action === "endPeriod") endPeriod(context, id);
  if (action === "failPeriod" || action === "askPeriod" || action === "debitPeriod") {
    replaceCard(context, id, action === "failPeriod" ? "bad" : action === "askPeriod" ? "asks" : "debit");
    endPeriod(context, id);
  }
  if (action === "beginPeriod") beginPeriod(context, id);
  if (action === "finalize") chargeAgain(context, id);
  if (action === "pay") {
    replaceCard(context, id, "good");
    chargeAgain(context, id);
  }
  if (action === "debitSucceeds" || action === "debitFails")
    settleDebit(context, subscription, action === "debitSucceeds");
  if (action === "pause" || action === "resume") setPaused(context, subscription, action === "pause");
  if (action === "giveUp") cancel(context, subscription, "payment_failed");
  if (action === "slowRefunds") replaceCard(context, id, "slowRefunds");
  if (isPaymentAction(action)) controlPayment(context, subscription, action);
  return { location: "/stripe" };
}

/** The bank decides a dispute, also about an earlier payment. */
function decide(context: StripeContext, id: string, action: string): PageAnswer | undefined {
  const dispute = context.store.find("dispute", id);
  if (!dispute) return undefined;
  if (action === "winDispute" || action === "loseDispute")
    closeDispute(context, dispute, action === "winDispute" ? "won" : "lost");
  return { location: "/stripe" };
}

/** What the register of a tax id says about it. */
function register(context: StripeContext, id: string, action: string): PageAnswer | undefined {
  const taxId = context.store.find("tax_id", id);
  if (taxId && (action === "verified" || action === "unverified")) verifyTaxId(context, taxId, action);
  return taxId && { location: "/stripe" };
}

const cards = {
  good: { isGood: true, last4: "4242" },
  bad: { isGood: false, last4: "0341" },
  asks: { isGood: true, last4: "3184", asks: true },
  debit: { isGood: true, last4: "3000", isDebit: true },
  slowRefunds: { isGood: true, last4: slowRefundCard },
};

function replaceCard({ store }: StripeContext, subscriptionId: string, kind: keyof typeof cards) {
  const { default_payment_method: id } = store.get("subscription", subscriptionId);
  const card = store.find("_card", id as string | null);
  if (card) store.put({ id: card.id, object: "_card", ...cards[kind] });
}

/** The customer confirms the payment at the bank. The next one is asked about again. */
function confirmPayment(context: StripeContext, open: Objects["invoice"], subscriptionId: string) {
  if (intentOf(context, open.id)?.status !== "requires_action") return;
  const subscription = context.store.get("subscription", subscriptionId);
  settle(context, open, context.store.find("_card", subscription.default_payment_method as string | null));
  if (subscription.status !== "canceled") setStatus(context, subscription, "active");
}

function isProcessing(context: StripeContext, invoiceId: string): boolean {
  return intentOf(context, invoiceId)?.status === "processing";
}

const limitedCalls = 10;

/** Whether the settings of the customer portal were ever saved, and whether calls come too often. */
function changeSettings({ store }: StripeContext, action: string): PageAnswer {
  const account = store.get("_account", "_account");
  if (action === "togglePortal") store.put({ ...account, hasNoPortal: !account.hasNoPortal });
  if (action === "limit") store.put({ ...account, limitedCalls });
  return { location: "/stripe" };
}
