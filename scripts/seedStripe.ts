// Puts Nido's catalogue into the Stripe account of STRIPE_SECRET_KEY. May be run any number of times.
import { connectStripe } from "../apps/server/src/billing/Billing.ts";
import { seedCatalogue } from "../apps/server/src/billing/catalogue/seedCatalogue.ts";

const secretKey = process.env["STRIPE_SECRET_KEY"];
const apiUrl = process.env["STRIPE_API_URL"];
if (!secretKey) {
  console.error("STRIPE_SECRET_KEY is not set: it says which account gets the catalogue.");
  process.exit(1);
}
const made = await seedCatalogue(connectStripe({ secretKey, apiUrl: apiUrl ? new URL(apiUrl) : undefined }));
console.log(made.length > 0 ? `Created: ${made.join(", ")}` : "Everything was there already.");
