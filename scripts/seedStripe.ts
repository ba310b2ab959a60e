// Creates Nido's catalogue in the Stripe account of STRIPE_SECRET_KEY. It creates only what is missing.
import { connectStripe } from "../apps/server/src/billing/Billing.ts";
import { seedCatalogue } from "../apps/server/src/billing/catalogue/seedCatalogue.ts";

const secretKey = process.env["STRIPE_SECRET_KEY"];
const apiUrl = process.env["STRIPE_API_URL"];
if (!secretKey) {
  console.error("STRIPE_SECRET_KEY is not set: it selects the account that gets the catalogue.");
  process.exit(1);
}
const created = await seedCatalogue(connectStripe({ secretKey, apiUrl: apiUrl ? new URL(apiUrl) : undefined }));
console.log(created.length > 0 ? `Created: ${created.join(", ")}` : "The catalogue is complete: nothing was created.");
console.log(
  "Prices are without VAT. To have it computed, enter your origin address, a tax code and your registrations in Stripe Tax, " +
    "and set STRIPE_AUTOMATIC_TAX=on. See “Taxes” in docs/OPERATING.md.",
);
