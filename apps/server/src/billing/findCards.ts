import type { SubscriptionCards } from "@nido/contract";
import type { Billing } from "./Billing.ts";

/** The cards that a customer's subscriptions are charged to. */
export async function findCards({ stripe }: Billing, customer: string): Promise<SubscriptionCards> {
  const expand = ["data.default_payment_method"];
  const { data } = await stripe.subscriptions.list({ customer, limit: 100, expand });
  return Object.fromEntries(
    data.flatMap(({ id, default_payment_method: method }) =>
      typeof method === "object" && method?.card ? [[id, { brand: method.card.brand, last4: method.card.last4 }]] : [],
    ),
  );
}
