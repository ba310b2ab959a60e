import type { Books } from "../Books.ts";
import { expireSession, paySession } from "../checkout.ts";
import { paymentsOf, refund } from "../payments.ts";
import { StripeFault } from "../StripeFault.ts";
import { cancel, chargeAgain, endLater, endPeriod } from "../subscriptions.ts";
import { checkoutPage } from "./checkoutPage.ts";
import { controlPage } from "./controlPage.ts";
import { langOf } from "./money.ts";
import { invoicePage, portalPage } from "./portalPage.ts";

export type PageAnswer = { html: string } | { location: string };

/** The hosted pages: what a browser sees at `path`, or what a click there (a form with `action`) does. */
export function answerPage(books: Books, path: string, form: URLSearchParams | undefined): PageAnswer | undefined {
  const [, kind = "", id = ""] = /^\/stripe(?:\/(pay|portal|invoice|subscription)\/([\w-]+))?\/?$/.exec(path) ?? [];
  const action = form?.get("action") ?? "";
  return books.store.transaction(() => {
    if (kind === "pay") return pay(books, id, action);
    if (kind === "portal") return portal(books, id, action, form?.get("subscription") ?? "");
    if (kind === "invoice") return invoice(books, id);
    if (kind === "subscription") return control(books, id, action);
    return /^\/stripe\/?$/.test(path) ? { html: controlPage(books) } : undefined;
  });
}

function pay(books: Books, id: string, action: string): PageAnswer | undefined {
  const session = books.store.find("checkout.session", id);
  if (!session) return undefined;
  if (action === "pay" && session.status === "open") {
    paySession(books, session);
    return { location: (session.success_url ?? "").replaceAll("{CHECKOUT_SESSION_ID}", id) };
  }
  if (action === "expire" && session.status === "open")
    return { html: checkoutPage(books, expireSession(books, session)) };
  return { html: checkoutPage(books, session, action === "decline") };
}

function portal(books: Books, id: string, action: string, subscriptionId: string): PageAnswer | undefined {
  const session = books.store.find("billing_portal.session", id);
  if (!session) return undefined;
  const subscription = books.store.find("subscription", subscriptionId);
  if (subscription && subscription.customer === session.customer) {
    if (action === "cancel") endLater(books, subscription, { isByDate: true });
    if (action === "resume") endLater(books, subscription, undefined);
    if (action === "goodCard" || action === "badCard") replaceCard(books, subscriptionId, action === "goodCard");
    return { location: `/stripe/portal/${id}` };
  }
  return { html: portalPage(books, session) };
}

function invoice(books: Books, id: string): PageAnswer | undefined {
  const found = books.store.find("invoice", id);
  const customer = found && books.store.find("customer", found.customer as string);
  return found && { html: invoicePage(books, found, langOf(customer?.preferred_locales?.[0] ?? null)) };
}

function control(books: Books, id: string, action: string): PageAnswer | undefined {
  const subscription = books.store.find("subscription", id);
  if (!subscription) return undefined;
  if (action === "endPeriod") endPeriod(books, id);
  if (action === "failPeriod") {
    replaceCard(books, id, false);
    endPeriod(books, id);
  }
  if (action === "pay") {
    replaceCard(books, id, true);
    chargeAgain(books, id);
  }
  if (action === "giveUp") cancel(books, subscription, "payment_failed");
  if (action === "refund") {
    const [payment] = paymentsOf(books, String(subscription.latest_invoice));
    const charge = books.store.all("charge").find((one) => one.payment_intent === payment?.payment.payment_intent);
    if (!charge) throw new StripeFault(400, "There is nothing to refund.");
    refund(books, charge);
  }
  return { location: "/stripe" };
}

function replaceCard({ store }: Books, subscriptionId: string, isGood: boolean) {
  const { default_payment_method: id } = store.get("subscription", subscriptionId);
  const card = store.find("_card", id as string | null);
  if (card) store.put({ ...card, isGood, last4: isGood ? "4242" : "0341" });
}
