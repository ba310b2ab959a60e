import type { Billing } from "../Billing.ts";
import { sum } from "../readPayments.ts";
import { showAmount } from "../refunds/parseAmount.ts";
import { currentFigures, lastMonths, type Month, monthlyFigures } from "./monthlyFigures.ts";
import { findAllSubscriptions, findProviderIds, sumReferralDebt } from "./queries.ts";
import { type Payment, readInvoiced, readRefunded } from "./readPayments.ts";

const columns =
  "month currency mrr paying started ended trials paid refunded failed ending overdue owed referrals_pending referrals_requested".split(
    " ",
  );

/** What each column counts. Printed below the table. */
export const legend = `mrr: recurring revenue a month at the end of the month, or now: list prices without VAT and before discounts,
  a yearly price as a twelfth. Subscriptions count from the end of their trial until they end at the provider, also
  while a payment is overdue or after they were cancelled. Past months use today's price of each subscription.
paying: the subscriptions in mrr. started, ended: those that began to pay, and those that ended. trials: trials begun.
paid, refunded: what moved at the provider in the month, with VAT, also for purchases that were refused. Disputes are
  not in it. failed: invoices of the month that could not be collected at once, paid since or not.
Now, so in the present month only: ending: subscriptions and trials that will not be renewed.
  overdue, owed: subscriptions with an overdue payment, and the sum with VAT.
  referrals_pending, referrals_requested: earnings of referrers that were not requested, and not paid out, yet.
Months are in UTC. Currencies are never added up.`;

/** One row for each month and currency, the newest month first, below a row with the names of the columns. */
export async function makeReport(
  { db, stripe }: Pick<Billing, "db" | "stripe">,
  count: number,
  now = new Date(),
): Promise<string[][]> {
  const months = lastMonths(now, count);
  const since = (months[0] as Month).start;
  const subscriptions = await findAllSubscriptions(db);
  const customers = await findProviderIds(db);
  const { paid, failed } = await readInvoiced(stripe, since, customers);
  const refunded = await readRefunded(stripe, since, customers);
  const debts = await sumReferralDebt(db);
  const currencies = new Set([...subscriptions, ...paid, ...refunded, ...debts].map(({ currency }) => currency));

  const rowOf = (month: Month, currency: string): string[] => {
    const own = subscriptions.filter((one) => one.currency === currency);
    const money = (amount: number) => amountOf(amount, currency);
    const moved = (payments: Payment[]) => money(sum(within(payments, month, currency)));
    const { mrr, paying, started, ended, trials } = monthlyFigures(own, month, now);
    const counts = [paying, started, ended, trials].map(String);
    const unpaid = String(within(failed, month, currency).length);
    const past = [money(mrr), ...counts, moved(paid), moved(refunded), unpaid];
    if (month.end <= now) return [month.name, currency, ...past, "", "", "", "", ""];
    const { ending, overdue, owed } = currentFigures(own);
    const debt = debts.find((one) => one.currency === currency);
    const present = [`${ending}`, `${overdue}`, money(owed), money(debt?.pending ?? 0), money(debt?.requested ?? 0)];
    return [month.name, currency, ...past, ...present];
  };
  const sorted = [...currencies].sort();
  return [columns, ...months.reverse().flatMap((month) => sorted.map((currency) => rowOf(month, currency)))];
}

function within(payments: Payment[], { start, end }: Month, currency: string): Payment[] {
  return payments.filter((payment) => payment.currency === currency && payment.at >= start && payment.at < end);
}

/** Without the currency, which has its own column. */
function amountOf(amount: number, currency: string): string {
  return showAmount(amount, currency).replace(/ .*/, "");
}
