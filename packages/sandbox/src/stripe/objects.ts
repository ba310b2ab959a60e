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
  payment_intent: Wire<Stripe.PaymentIntent>;
  charge: Wire<Stripe.Charge>;
  refund: Wire<Stripe.Refund>;
  dispute: Wire<Stripe.Dispute>;
  customer_balance_transaction: Wire<Stripe.CustomerBalanceTransaction>;
  "billing_portal.session": Wire<Stripe.BillingPortal.Session>;
  webhook_endpoint: Wire<Stripe.WebhookEndpoint>;
  event: Event;
  /** `hasNoPortal`: the customer portal's settings were never saved; `limitedCalls`: the next calls that are too many */
  _account: { id: string; object: "_account"; apiKey: string; hasNoPortal?: boolean; limitedCalls?: number };
  /** the subscription that a Checkout Session creates once it is paid */
  _order: Order;
  /** the products that a coupon applies to, unless it applies to all */
  _products: { id: string; object: "_products"; products: string[] };
  _card: Card;
  /** a deleted customer */
  _deleted: { id: string; object: "_deleted" };
  _answer: { id: string; object: "_answer"; fingerprint: string; status: number; body: string };
  _delivery: { id: string; object: "_delivery"; event: string; endpoint: string; attempts: number; at: number };
}
export type Kind = keyof Objects;
export type LineItem = Wire<Stripe.LineItem>;

/** What a customer pays with: a card, unless it `isDebit`, a direct debit that takes days. */
interface Card {
  id: string;
  object: "_card";
  last4: string;
  isGood: boolean;
  /** 3-D Secure: the bank wants each payment confirmed */
  asks?: boolean;
  isDebit?: boolean;
}

interface Order {
  id: string;
  object: "_order";
  price: string;
  quantity: number;
  coupon: string | null;
  promotionCode: string | null;
  trial: { days: number; settings: Objects["subscription"]["trial_settings"] } | null;
  metadata: Record<string, string>;
}

/** The fields that all events have in common; the type of the SDK is a union of all event types. */
interface Event extends Omit<Stripe.EventBase, "data" | "request" | "type"> {
  type: string;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  request: { id: string | null; idempotency_key: string | null } | null;
}
