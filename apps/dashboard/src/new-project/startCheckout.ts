import type { CheckoutRequest, CheckoutSession, Language } from "@nido/contract";
import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import type { CheckoutDraft } from "./CheckoutDraft.ts";

interface Checkout {
  planId: string;
  request: CheckoutRequest;
}

/** The checkout that a complete draft describes; undefined while something is missing. */
export function toCheckout(draft: CheckoutDraft, lang: Language): Checkout | undefined {
  const { category, plan, domain, username = "", promo = "" } = draft;
  if (!plan || !domain || (category === "wordpress" && !username)) return undefined;
  return { planId: plan, request: { username, project_name: domain, promo, locale: lang, category } };
}

export function startCheckout({ planId, request }: Checkout, signal: AbortSignal) {
  return api<CheckoutSession>(serverPaths.checkout(planId), { ...post(request), signal });
}
