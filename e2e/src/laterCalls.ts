import type { PlanOffers, Referral } from "@nido/contract";
import type { Page } from "@playwright/test";

/** Answers, in the contract's shapes, for the calls that the server does not have yet. */
export async function serveLaterCalls(page: Page) {
  const names = ["Priority support", "15 GB SSD", "128 MB RAM", "SSL certificate", "Unlimited visitors", "1 website"];
  const recipes = ["wordpress_starter", "wordpress_pro", "wordpress_business"] as const;
  const offers = (interval: "month" | "year") =>
    recipes.map((recipe, index) => ({
      plan: { id: `price_${recipe}_${interval}`, amount: 5900 * (index + 1), currency: "eur", interval },
      product: {
        id: `prod_${recipe}`,
        name: recipe.replace("_", " "),
        features: names.slice(2 - index).map((name) => ({ name })),
        metadata: { recipe, recipe_category: "wordpress" as const },
      },
    }));
  const plans: PlanOffers = { month: offers("month"), year: offers("year") };
  const referral: Referral = {
    info: { percent_off: 20, duration: "forever" },
    pending: [{ sum: 1234, currency: "eur" }],
  };
  await page.route("/billing/products*", (route) => route.fulfill({ json: plans }));
  await page.route("/api/referral", (route) => route.fulfill({ json: referral }));
}
