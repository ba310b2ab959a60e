import { expireSession, paySession } from "../checkout.ts";
import { paymentsOf, refund } from "../payments.ts";
import type { StripeContext } from "../StripeContext.ts";
import { StripeFault } from "../StripeFault.ts";
import { cancel, chargeAgain, endPeriod, scheduleEnd } from "../subscriptions.ts";
import { checkoutPage } from "./checkoutPage.ts";
import { controlPage } from "./controlPage.ts";
import { languageOf } from "./format.ts";
import { invoicePage, portalPage } from "./portalPage.ts";

export type PageAnswer = { html: string } | { location: string };

/** Serves a hosted page, or performs the action of a form that was submitted on it. */
export function answerPage(
  context: StripeContext,
  path: string,
  form: URLSearchParams | undefined,
): PageAnswer | undefined {
  const [, kind = "", id = ""] = /^\/stripe(?:\/(pay|portal|invoice|subscription)\/([\w-]+))?\/?$/.exec(path) ?? [];
  const action = form?.get("action") ?? "";
  return context.store.transaction(() => {
    if (kind === "pay") return pay(context, id, action);
    if (kind === "portal") return portal(context, id, action, form?.get("subscription") ?? "");
    if (kind === "invoice") return invoice(context, id);
    if (kind === "subscription") return control(context, id, action);
    return /^\/stripe\/?$/.test(path) ? { html: controlPage(context) } : undefined;
  });
}

function pay(context: StripeContext, id: string, action: string): PageAnswer | undefined {
  const session = context.store.find("checkout.session", id);
  if (!session) return undefined;
  if (action === "pay" && session.status === "open") {
    paySession(context, session);
    return { location: (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", id) };
  }
  if (action === "expire" && session.status === "open")
    return { html: checkoutPage(context, expireSession(context, session)) };
  return { html: checkoutPage(context, session, action === "decline") };
}

function portal(context: StripeContext, id: string, action: string, subscriptionId: string): PageAnswer | undefined {
  const session = context.store.find("billing_portal.session", id);
  if (!session) return undefined;
  const subscription = context.store.find("subscription", subscriptionId);
  if (subscription && subscription.customer === session.customer) {
    if (action === "cancel") scheduleEnd(context, subscription, { isByDate: true });
    if (action === "resume") scheduleEnd(context, subscription, undefined);
    if (action === "goodCard" || action === "badCard") replaceCard(context, subscriptionId, action === "goodCard");
    return { location: `/stripe/portal/${id}` };
  }
  return { html: portalPage(context, session) };
}

function invoice(context: StripeContext, id: string): PageAnswer | undefined {
  const found = context.store.find("invoice", id);
  const customer = found && context.store.find("customer", found.customer as string);
  return found && { html: invoicePage(context, found, languageOf(customer?.preferred_locales?.[0] ?? null)) };
}

function control(context: StripeContext, id: string, action: string): PageAnswer | undefined {
  const subscription = context.store.find("subscription", id);
  if (!subscription) return undefined;
  if (action === "endPeriod") endPeriod(context, id);
  if (action === "failPeriod") {
    replaceCard(context, id, false);
    endPeriod(context, id);
  }
  if (action === "pay") {
    replaceCard(context, id, true);
    chargeAgain(context, id);
  }
  if (action === "giveUp") cancel(context, subscription, "payment_failed");
  if (action === "refund") {
    const [payment] = paymentsOf(context, String(subscription.latest_invoice));
    const charge = context.store.all("charge").find((one) => one.payment_intent === payment?.payment.payment_intent);
    if (!charge) throw new StripeFault(400, "There is nothing to refund.");
    refund(context, charge);
  }
  return { location: "/stripe" };
}

function replaceCard({ store }: StripeContext, subscriptionId: string, isGood: boolean) {
  const { default_payment_method: id } = store.get("subscription", subscriptionId);
  const card = store.find("_card", id as string | null);
  if (card) store.put({ ...card, isGood, last4: isGood ? "4242" : "0341" });
}
