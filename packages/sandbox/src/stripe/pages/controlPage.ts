import { escapeHtml, page } from "../../page.ts";
import type { StripeContext } from "../StripeContext.ts";
import { formatMoney } from "./format.ts";

/** Lets a tester trigger what Stripe does as time passes: renewals, declined cards, refunds. */
export function controlPage({ store }: StripeContext): string {
  const subscriptions = store.all("subscription").map((subscription) => {
    const [item] = subscription.items.data;
    const customer = store.find("customer", String(subscription.customer));
    const button = (action: string, label: string) =>
      `<button name="action" value="${action}" aria-label="${label} ${subscription.id}">${label}</button>`;
    const buttons =
      subscription.status === "canceled"
        ? []
        : [
            button("endPeriod", "End the period"),
            button("failPeriod", "End it with a declined card"),
            ...(subscription.status === "past_due"
              ? [button("pay", "Pay what is owed"), button("giveUp", "Give up and cancel")]
              : []),
            button("refund", "Refund the last invoice"),
          ];
    return `<tr><td>${escapeHtml(customer?.email)}<br><small>${subscription.id}</small></td>
      <td>${escapeHtml(store.find("product", String(item?.price.product))?.name)}<br>
        <small>${escapeHtml(formatMoney(item?.price.unit_amount ?? 0, subscription.currency, "en"))} / ${escapeHtml(item?.price.recurring?.interval)}</small></td>
      <td>${escapeHtml(subscription.status)}</td>
      <td><form method="post" action="/stripe/subscription/${subscription.id}">${buttons.join("")}</form></td></tr>`;
  });
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
<h2>Subscriptions</h2><table>${subscriptions.join("\n") || "<tr><td>None yet.</td></tr>"}</table>
<h2>Latest events</h2><table>${events.join("\n") || "<tr><td>None yet.</td></tr>"}</table>`,
  );
}
