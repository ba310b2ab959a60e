import { findOwnProject } from "../projects/queries.ts";
import type { Billing } from "./Billing.ts";
import { maxProviderMs, withinTime } from "./providerClient.ts";
import { findSubscription } from "./queries.ts";

/** The provider's page of the latest invoice of a customer's project; undefined if there is none to show. */
export async function findReceipt(
  { db, stripe, log }: Billing,
  userId: string,
  projectId: string,
): Promise<string | undefined> {
  const project = await db.transaction((tx) => findOwnProject(tx, userId, projectId));
  if (!project) return undefined;
  // The latest invoice is not always the one that is owed.
  const known = await findSubscription(db, project.subId);
  if (known?.payUrl) return known.payUrl;
  const expand = ["latest_invoice"];
  const read = () => stripe.subscriptions.retrieve(project.subId, { expand });
  const subscription = await withinTime(maxProviderMs, read).catch((error) => {
    log.error({ err: error }, "the provider did not return an invoice");
    return undefined;
  });
  const invoice = subscription?.latest_invoice;
  return (typeof invoice === "object" && invoice?.hosted_invoice_url) || undefined;
}
