import { cardDefaults, debitDefaults } from "./chargeDefaults.ts";
import { lineItemsOf } from "./checkout.ts";
import type { Objects } from "./objects.ts";
import { paymentsOf } from "./payments.ts";
import { list } from "./Route.ts";
import { productsId } from "./redemption.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

type ApiObject = Record<string, unknown> & { id?: string; object?: string };
const maxDepth = 4;

/** Implements `expand[]`: replaces ids with their objects, and adds the lists that are left out by default. */
export function expand(context: StripeContext, answer: unknown, paths: string[]): unknown {
  let expanded = answer;
  for (const path of paths) {
    const steps = path.split(".");
    if (steps.length > maxDepth)
      throw new StripeFault(400, `You cannot expand more than ${maxDepth} levels of a property. (property: ${path})`);
    expanded = follow(context, expanded, steps, path);
  }
  return expanded;
}

function follow(context: StripeContext, value: unknown, steps: string[], path: string): unknown {
  if (value === null) return value;
  if (Array.isArray(value)) return value.map((item) => follow(context, item, steps, path));
  if (typeof value === "string") {
    const card = context.store.find("_card", value);
    const object = card ? paymentMethod(card) : context.store.any(value);
    if (!object) throw new StripeFault(400, `This property cannot be expanded (${path}).`, { param: "expand" });
    return follow(context, object, steps, path);
  }
  if (steps.length === 0) return value;

  const [head = "", ...rest] = steps;
  const object = value as ApiObject;
  const inner = object[head] === undefined ? expandableField(context, object, head) : object[head];
  if (inner === undefined || head === "id")
    throw new StripeFault(400, `This property cannot be expanded (${path}).`, { param: "expand" });
  return { ...object, [head]: follow(context, inner, rest, path) };
}

/** A stored card as Stripe presents it. */
function paymentMethod({ id, last4, isDebit }: Objects["_card"]): ApiObject {
  if (isDebit) return { id, object: "payment_method", type: "sepa_debit", sepa_debit: { ...debitDefaults, last4 } };
  return { id, object: "payment_method", type: "card", card: { ...cardDefaults, last4 } };
}

/** What Stripe includes only if it is expanded. */
function expandableField(context: StripeContext, { object, id = "" }: ApiObject, name: string) {
  if (object === "checkout.session" && name === "line_items")
    return list(lineItemsOf(context, id), `/v1/checkout/sessions/${id}/line_items`);
  if (object === "invoice" && name === "payments")
    return list(paymentsOf(context, id), `/v1/invoice_payments?invoice=${id}`);
  if (object === "coupon" && name === "applies_to") {
    const found = context.store.find("_products", productsId(id));
    return found ? { products: found.products } : null;
  }
  return undefined;
}
