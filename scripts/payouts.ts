// The operator's commands for the payouts that referrers requested:
//   npm run payouts                 lists those that are not paid yet
//   npm run payouts -- paid ID SUM  marks one as paid
//   npm run payouts -- refused      lists earnings refused because buyer and referrer seem to be one person

import { encryptionSecrets } from "../apps/server/src/platform/encryptionKey.ts";
import { SecretBox } from "../apps/server/src/platform/SecretBox.ts";
import { ibanOf } from "../apps/server/src/referrals/ibanOf.ts";
import { markPayoutPaid } from "../apps/server/src/referrals/markPayoutPaid.ts";
import { findRefusedEarnings, findRequestedPayouts } from "../apps/server/src/referrals/queries.ts";
import { fromUnits, toUnits } from "../packages/contract/src/money.ts";
import { config, db, operate } from "./operate.ts";

const [verb, id = "", sum = ""] = process.argv.slice(2);

await operate(async () => {
  if (verb === "paid") {
    const { currency } = (await findRequestedPayouts(db)).find((payout) => payout.id === id) ?? { currency: "eur" };
    if (await db.transaction((tx) => markPayoutPaid(tx, id, fromUnits(sum, currency))))
      return `${id} is marked as paid.`;
    throw new Error(`There is no unpaid payout ${id} of ${sum}: a refund may have changed its sum.`);
  }
  if (verb === "refused") {
    const lines = (await findRefusedEarnings(db)).map(
      ({ email, invoiceId, amount, currency, refusal, createdAt }) =>
        `${createdAt.toISOString().slice(0, 10)}  ${toUnits(amount, currency)} ${currency}  ${refusal}  ${invoiceId}  ${email}`,
    );
    return lines.join("\n") || "No earning was refused.";
  }
  const payouts = await findRequestedPayouts(db);
  const box = new SecretBox(encryptionSecrets(config));
  const ibanIn = (iban: Buffer | null, userId: string) => {
    if (!iban) return "no IBAN";
    return box.canOpen(iban) ? box.open(iban, ibanOf(userId)) : "the IBAN was encrypted with another ENCRYPTION_KEY";
  };
  const lines = payouts.map(
    ({ id: payout, userId, email, sum: due, currency, requestedAt, iban }) =>
      `${payout}  ${requestedAt.toISOString().slice(0, 10)}  ${toUnits(due, currency)} ${currency}  ${email}  ${ibanIn(iban, userId)}`,
  );
  return lines.join("\n") || "There is no unpaid payout.";
});
