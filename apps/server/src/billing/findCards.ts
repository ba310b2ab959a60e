import type { SubscriptionCards } from "@nido/contract";
import type { Stripe } from "stripe";
import type { Billing } from "./Billing.ts";

/** The cards, or the accounts of direct debits, that a customer's subscriptions are charged to. */
export async function findCards({ stripe }: Billing, customer: string): Promise<SubscriptionCards> {
  const expand = ["data.default_payment_method"];
  const { data } = await stripe.subscriptions.list({ customer, limit: 100, expand });
  return Object.fromEntries(
    data.flatMap(({ id, default_payment_method: method }) => {
      const shown = typeof method === "object" && method ? cardOf(method) : undefined;
      return shown ? [[id, shown]] : [];
    }),
  );
}

function cardOf({ card, sepa_debit: debit }: Stripe.PaymentMethod): SubscriptionCards[string] | undefined {
  if (card) return { brand: card.brand, last4: card.last4 };
  return debit?.last4 ? { brand: "SEPA", last4: debit.last4 } : undefined;
}
