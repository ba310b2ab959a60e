import { type CheckoutRequest, type CheckoutSession, defaultCategory, isCategory, type Language } from "@nido/contract";
import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

/** What the purchase page's address asks for; undefined where something is missing. */
export function readCheckout(query: URLSearchParams, lang: Language) {
  const asked = query.get("category");
  const category = isCategory(asked) ? asked : defaultCategory;
  const [planId, name, username] = ["plan", "domain", "username"].map((key) => query.get(key) ?? "");
  if (!planId || !name || (category === "wordpress" && !username)) return undefined;
  const request: CheckoutRequest = {
    username: username ?? "",
    project_name: name,
    promo: query.get("promo") ?? "",
    locale: lang,
    category,
  };
  return { planId, request };
}

type Checkout = NonNullable<ReturnType<typeof readCheckout>>;

export function startCheckout({ planId, request }: Checkout, signal: AbortSignal) {
  return api<CheckoutSession>(serverPaths.checkout(planId), { ...post(request), signal });
}
