import { categoryOf } from "@nido/contract";
import type { CheckoutRow } from "./queries.ts";

export const cancelledPath = (checkoutId: string) => `/billing/cancelled/${checkoutId}`;

/** The page to which the provider redirects after the payment. */
export function successPath({ recipe, name, taskId }: CheckoutRow): string {
  return categoryOf(recipe) === "static"
    ? `/newproject/static/success?${new URLSearchParams({ domain: name })}`
    : `/newproject/wp/success?${new URLSearchParams({ taskId: taskId ?? "" })}`;
}

/** The page where a customer who did not pay can try again, with their choices filled in. */
export function resumePath({ state, recipe, name, planId, username, promo, locale }: CheckoutRow): string {
  const category = categoryOf(recipe);
  // An expired checkout no longer holds the name.
  const outcome = state === "open" ? { cancelled: "1" } : { expired: "1" };
  const chosen = { category, plan: planId, domain: name, username, promo, lang: locale, ...outcome };
  const query = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== ""));
  return `${category === "static" ? "/newproject/static/1" : "/newproject/wp/2"}?${query}`;
}
