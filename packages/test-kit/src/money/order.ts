import { openCheckout } from "@nido/server/billing/checkout/openCheckout";
import type { Buyer } from "./newCustomer.ts";
import type { World } from "./openWorld.ts";
import { type Plan, Purchase } from "./Purchase.ts";

interface Order {
  isReferred: boolean;
  /** false: the customer lets the payment page expire */
  isPaid: boolean;
}

/** Opens a checkout, and pays it. */
export async function order(world: World, buyer: Buyer, plan: Plan, { isReferred, isPaid }: Order) {
  const { billing, stripe, orders, referrer } = world;
  const project_name = `moneysite${orders.length}`;
  const category = plan.recipe === "static_starter" ? "static" : "wordpress";
  const username = category === "static" ? "" : "lucia";
  const promo = isReferred ? referrer.refcode : "";
  const input = { project_name, username, promo, locale: "es", category } as const;
  const { id } = await openCheckout(billing, buyer.session, plan.id, input);
  orders.push({ isPaid });
  await world.click(`/stripe/pay/${id}`, { action: isPaid ? "pay" : "expire" });
  if (!isPaid) return;
  const { subscription } = await stripe.checkout.sessions.retrieve(id);
  const discount = isReferred ? billing.config.REFERRAL_PERCENT_OFF : 0;
  world.purchases.push(new Purchase(String(subscription), { plan, vat: buyer.vat, discount, isReferred }));
  if (isReferred) buyer.hasPromotion = false;
}
