import { type Charge, draftInvoice } from "./draftInvoice.ts";
import type { Objects } from "./objects.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

/** Creates the draft invoice for a subscription's current period. */
export function billPeriod(
  context: StripeContext,
  subscription: Objects["subscription"],
  reason: "subscription_create" | "subscription_cycle",
  discount: Objects["discount"] | undefined,
): Objects["invoice"] {
  const [item] = subscription.items.data;
  if (!item) throw new StripeFault(400, "This subscription has no items.");
  const charges = [subscription.status === "trialing" ? trial(context, item) : wholePeriod(context, item)];
  const invoice = context.store.put(draftInvoice(context, subscription, { reason, charges, discount }));
  context.emit("invoice.created", invoice);
  return invoice;
}

export function wholePeriod({ store }: StripeContext, item: Objects["subscription_item"]): Charge {
  const quantity = item.quantity ?? 1;
  return {
    item,
    amount: (item.price.unit_amount ?? 0) * quantity,
    description: `${quantity} × ${store.find("product", String(item.price.product))?.name}`,
    period: { start: item.current_period_start, end: item.current_period_end },
    isProration: false,
  };
}

function trial(context: StripeContext, item: Objects["subscription_item"]): Charge {
  const name = context.store.find("product", String(item.price.product))?.name;
  return { ...wholePeriod(context, item), amount: 0, description: `Trial period for ${name}` };
}
