// The operator's commands for the payouts that referrers requested:
//   npm run payouts                 lists those that are not paid yet
//   npm run payouts -- paid ID SUM  marks one as paid
import { markPayoutPaid } from "../apps/server/src/referrals/markPayoutPaid.ts";
import { findRequestedPayouts } from "../apps/server/src/referrals/queries.ts";
import { db, operate } from "./operate.ts";

const [verb, id = "", sum = ""] = process.argv.slice(2);

await operate(async () => {
  if (verb === "paid") {
    if (await db.transaction((tx) => markPayoutPaid(tx, id, Math.round(Number(sum) * 100))))
      return `${id} is marked as paid.`;
    throw new Error(`There is no unpaid payout ${id} of ${sum}: a refund may have changed its sum.`);
  }
  const payouts = await findRequestedPayouts(db);
  const lines = payouts.map(
    ({ id: payout, email, sum: due, currency, requestedAt }) =>
      `${payout}  ${requestedAt.toISOString().slice(0, 10)}  ${(due / 100).toFixed(2)} ${currency}  ${email}`,
  );
  return lines.join("\n") || "There is no unpaid payout.";
});
