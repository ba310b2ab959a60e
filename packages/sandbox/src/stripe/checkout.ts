import { createSession, orderId } from "./createSession.ts";
import type { LineItem, Objects } from "./objects.ts";
import { listing, takes, text } from "./parameters.ts";
import { page, passes, type Route, readRoutes, route } from "./Route.ts";
import { requireRedeemable } from "./redemption.ts";
import { now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";
import { sessionParameters } from "./sessionParameters.ts";
import { type Method, startSubscription } from "./startSubscription.ts";

type Session = Objects["checkout.session"];

const path = "/v1/checkout/sessions";

export const checkoutRoutes: Route[] = [
  route("POST", path, sessionParameters, createSession),
  route("POST", `${path}/:id/expire`, takes({}), (context, _params, id) => {
    const session = context.store.get("checkout.session", id);
    if (session.status !== "open")
      throw new StripeFault(
        400,
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    return expireSession(context, session);
  }),
  route("GET", `${path}/:id/line_items`, takes(listing), (context, params, id) => {
    context.store.get("checkout.session", id);
    return page(lineItemsOf(context, id), `${path}/${id}/line_items`, params);
  }),
  ...readRoutes(
    "checkout.session",
    path,
    { customer: text.optional(), subscription: text.optional(), status: text.optional() },
    (session, { customer, subscription, status }) =>
      passes<unknown>(session.customer, customer) &&
      passes<unknown>(session.subscription, subscription) &&
      passes<unknown>(session.status, status),
  ),
];

/** Completes a Checkout Session on the hosted page. A direct debit is paid some days later. */
export function paySession(context: StripeContext, session: Session, method: Method = "card"): Session {
  const { store } = context;
  const order = store.find("_order", orderId(session.id));
  if (!order || session.status !== "open") throw new StripeFault(400, "This Checkout Session can no longer be paid.");
  requireStillRedeemable(context, session, order);
  const customer = store.get("customer", String(session.customer));
  const { subscription, invoice } = startSubscription(context, session, order, method);
  const paid = store.put({
    ...session,
    status: "complete",
    payment_status: session.amount_total === 0 ? "no_payment_required" : invoice.status === "paid" ? "paid" : "unpaid",
    subscription: subscription.id,
    invoice: invoice.id,
    url: null,
    automatic_tax: session.automatic_tax.enabled
      ? { ...session.automatic_tax, status: "complete" }
      : session.automatic_tax,
    customer_details: {
      address: customer.address ?? null,
      business_name: null,
      email: customer.email,
      individual_name: null,
      name: customer.name ?? null,
      phone: customer.phone ?? null,
      tax_exempt: "none",
      tax_ids: [],
    },
  });
  context.emit("checkout.session.completed", paid);
  return paid;
}

/** Another session with the same promotion code may have been paid first. */
function requireStillRedeemable({ store }: StripeContext, { customer }: Session, order: Objects["_order"]) {
  const price = store.get("price", order.price);
  const code = store.find("promotion_code", order.promotionCode) ?? null;
  const subtotal = (price.unit_amount ?? 0) * order.quantity;
  requireRedeemable(store, { coupon: order.coupon, code, customer: String(customer), price, subtotal });
}

export function expireSession(context: StripeContext, session: Session): Session {
  const expired = context.store.put({ ...session, status: "expired", url: null });
  context.emit("checkout.session.expired", expired);
  return expired;
}

/** Expires the open sessions whose time is up, as Stripe does by itself. */
export function expireOverdueSessions(context: StripeContext) {
  const overdue = context.store
    .all("checkout.session")
    .filter(({ status, expires_at }) => status === "open" && expires_at <= now());
  for (const session of overdue) expireSession(context, session);
}

export function lineItemsOf({ store }: StripeContext, sessionId: string): LineItem[] {
  const session = store.get("checkout.session", sessionId);
  const order = store.find("_order", orderId(sessionId));
  const price = store.find("price", order?.price);
  if (!order || !price) return [];
  return [
    {
      id: `li_${sessionId.slice(-18)}`,
      object: "item",
      adjustable_quantity: null,
      amount_discount: session.total_details?.amount_discount ?? 0,
      amount_subtotal: session.amount_subtotal ?? 0,
      amount_tax: session.total_details?.amount_tax ?? 0,
      amount_total: session.amount_total ?? 0,
      currency: price.currency,
      description: store.find("product", String(price.product))?.name ?? null,
      metadata: {},
      price,
      quantity: order.quantity,
    },
  ];
}
