import { z } from "zod";
import { finalize } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import type { StripeContext } from "./StripeContext.ts";

type Subscription = Objects["subscription"];

/** The parameter that pauses the collection of invoices. The subscription stays active. */
export const pauseCollection = z.union([
  z
    .strictObject({ behavior: z.enum(["keep_as_draft", "mark_uncollectible", "void"]) })
    .transform(({ behavior }) => ({ behavior, resumes_at: null })),
  z.literal("").transform(() => null),
]);

/** What becomes of an invoice while the collection is paused. */
export function withhold(context: StripeContext, subscription: Subscription, draft: Objects["invoice"]): Subscription {
  const { store } = context;
  const behavior = subscription.pause_collection?.behavior;
  if (draft.status !== "draft") return subscription;
  if (behavior === "keep_as_draft") store.put({ ...draft, auto_advance: false });
  else {
    const isVoid = behavior === "void";
    const withheld = store.put({ ...finalize(context, draft), status: isVoid ? "void" : "uncollectible" });
    context.emit(isVoid ? "invoice.voided" : "invoice.marked_uncollectible", withheld);
  }
  return subscription;
}

/** A cancelled subscription's unpaid invoice is no longer collected automatically. */
export function stopCollection({ store }: StripeContext, { latest_invoice: id }: Subscription) {
  const invoice = store.find("invoice", id as string | null);
  if (invoice?.status === "draft" || invoice?.status === "open") store.put({ ...invoice, auto_advance: false });
}

/** A trial that ended without a card pauses the whole subscription, until the customer has one. */
export function setPaused(context: StripeContext, old: Subscription, isPaused: boolean) {
  const changed = context.store.put({ ...old, status: isPaused ? "paused" : "active" });
  context.emit("customer.subscription.updated", changed, { status: old.status });
  context.emit(`customer.subscription.${isPaused ? "paused" : "resumed"}`, changed);
}
