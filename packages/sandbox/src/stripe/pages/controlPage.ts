import { escapeHtml, page } from "../../page.ts";
import type { StripeContext } from "../StripeContext.ts";
import { findDebit } from "../settleDebit.ts";
import { paymentActions } from "./controlPayment.ts";
import { formatMoney } from "./format.ts";

/** Lets a tester trigger what Stripe does as time passes: renewals, declined cards, refunds, disputes. */
export function controlPage(context: StripeContext): string {
  const { store } = context;
  const subscriptions = store.all("subscription").map((subscription) => {
    const [item] = subscription.items.data;
    const customer = store.find("customer", String(subscription.customer));
    const button = (action: string, label: string) =>
      `<button name="action" value="${action}" aria-label="${label} ${subscription.id}">${label}</button>`;
    const latest = store.find("invoice", subscription.latest_invoice as string | null);
    const isDebited = findDebit(context, subscription) !== undefined;
    const buttons =
      subscription.status === "canceled"
        ? []
        : [
            button("endPeriod", "End the period"),
            button("failPeriod", "End it with a declined card"),
            button("askPeriod", "End it with a card that asks for confirmation"),
            button("debitPeriod", "End it with a direct debit"),
            latest?.status === "draft"
              ? button("finalize", "Finalise")
              : button("beginPeriod", "Begin the next period"),
            ...(isDebited
              ? [button("debitSucceeds", "Let the debit succeed"), button("debitFails", "Let it fail")]
              : []),
            subscription.status === "paused" ? button("resume", "Resume") : button("pause", "Pause"),
            ...(subscription.status === "past_due"
              ? [button("pay", "Pay what is owed"), button("giveUp", "Give up and cancel")]
              : []),
            button("slowRefunds", "Pay by a card with slow refunds"),
          ];
    // The bank decides also after a subscription has ended.
    for (const [action, label] of Object.entries(paymentActions)) buttons.push(button(action, label));
    return `<tr><td>${escapeHtml(customer?.email)}<br><small>${subscription.id}</small></td>
      <td>${escapeHtml(store.find("product", String(item?.price.product))?.name)}<br>
        <small>${escapeHtml(formatMoney(item?.price.unit_amount ?? 0, subscription.currency, "en"))} / ${escapeHtml(item?.price.recurring?.interval)}</small></td>
      <td>${escapeHtml(subscription.status)}</td>
      <td><form method="post" action="/stripe/subscription/${subscription.id}">${buttons.join("")}</form></td></tr>`;
  });
  const taxIds = store.all("tax_id").map(
    ({ id, value, verification }) =>
      `<tr><td>${escapeHtml(value)}</td><td>${escapeHtml(verification?.status)}</td>
      <td><form method="post" action="/stripe/tax-id/${id}"><button name="action" value="verified">Verify</button><button name="action" value="unverified">Do not find it</button></form></td></tr>`,
  );
  const events = store
    .all("event")
    .slice(0, 30)
    .map(
      ({ type, created, pending_webhooks: pending }) =>
        `<tr><td>${escapeHtml(type)}</td><td>${new Date(created * 1000).toISOString()}</td><td>${pending ? "waiting" : "delivered"}</td></tr>`,
    );
  return page(
    "en",
    "Payment sandbox",
    `<p class="wide">This stands in for Stripe on your machine, and this page for the passing of time.</p>
<form method="post" action="/stripe/settings"><button name="action" value="togglePortal">${
      store.find("_account", "_account")?.hasNoPortal ? "Save the portal's settings" : "Unsave the portal's settings"
    }</button> <button name="action" value="limit">Refuse the next ten calls (rate limit)</button></form>
<h2>Subscriptions</h2><table>${subscriptions.join("\n") || "<tr><td>None yet.</td></tr>"}</table>
<h2>Tax numbers</h2><table>${taxIds.join("\n") || "<tr><td>None yet.</td></tr>"}</table>
<h2>Latest events</h2><table>${events.join("\n") || "<tr><td>None yet.</td></tr>"}</table>`,
  );
}
