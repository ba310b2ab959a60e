import type { Stripe } from "stripe";

/** An object in JSON form: decimals are strings, which the SDK converts when it parses a response. */
type Wire<Type> = Type extends string
  ? Type
  : Type extends Stripe.Decimal
    ? string
    : Type extends (infer Item)[]
      ? Wire<Item>[]
      : Type extends object
        ? { [Key in keyof Type]: Wire<Type[Key]> }
        : Type;

/** The stored objects by kind, which is their `object` field. The API does not expose kinds with an underscore. */
export interface Objects {
  product: Wire<Stripe.Product>;
  price: Wire<Stripe.Price>;
  customer: Wire<Stripe.Customer>;
  tax_id: Wire<Stripe.TaxId>;
  coupon: Wire<Stripe.Coupon>;
  promotion_code: Wire<Stripe.PromotionCode>;
  discount: Wire<Stripe.Discount>;
  "checkout.session": Wire<Stripe.Checkout.Session>;
  subscription: Wire<Stripe.Subscription>;
  subscription_item: Wire<Stripe.SubscriptionItem>;
  invoice: Wire<Stripe.Invoice>;
  line_item: Wire<Stripe.InvoiceLineItem>;
  invoice_payment: Wire<Stripe.InvoicePayment>;
  charge: Wire<Stripe.Charge>;
  refund: Wire<Stripe.Refund>;
  "billing_portal.session": Wire<Stripe.BillingPortal.Session>;
  webhook_endpoint: Wire<Stripe.WebhookEndpoint>;
  event: Event;
  _account: { id: string; object: "_account"; apiKey: string };
  /** the subscription that a Checkout Session creates once it is paid */
  _order: Order;
  _card: { id: string; object: "_card"; last4: string; isGood: boolean };
  _answer: { id: string; object: "_answer"; fingerprint: string; status: number; body: string };
  _delivery: { id: string; object: "_delivery"; event: string; endpoint: string; attempts: number; at: number };
}
export type Kind = keyof Objects;
export type LineItem = Wire<Stripe.LineItem>;

interface Order {
  id: string;
  object: "_order";
  price: string;
  quantity: number;
  coupon: string | null;
  promotionCode: string | null;
  metadata: Record<string, string>;
}

/** The fields that all events have in common; the type of the SDK is a union of all event types. */
interface Event extends Omit<Stripe.EventBase, "data" | "request" | "type"> {
  type: string;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  request: { id: string | null; idempotency_key: string | null } | null;
}
