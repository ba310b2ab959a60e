import { categoryOf } from "@nido/contract";
import type { CheckoutRow } from "./queries.ts";

export const cancelledPath = (checkoutId: string) => `/billing/cancelled/${checkoutId}`;

/** Where the provider sends a customer who has paid. */
export function successPath({ recipe, name, taskId }: CheckoutRow): string {
  return categoryOf(recipe) === "static"
    ? `/newproject/static/success?${new URLSearchParams({ domain: name })}`
    : `/newproject/wp/success?${new URLSearchParams({ taskId: taskId ?? "" })}`;
}

/** Where a customer who did not pay can try again, with everything they had chosen. */
export function resumePath({ state, recipe, name, planId, username, promo, locale }: CheckoutRow): string {
  const category = categoryOf(recipe);
  const cancelled = state === "open" ? "1" : ""; // the name is held no more once it has expired
  const chosen = { category, plan: planId, domain: name, username, promo, lang: locale, cancelled };
  const query = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value !== ""));
  return `${category === "static" ? "/newproject/static/1" : "/newproject/wp/2"}?${query}`;
}
