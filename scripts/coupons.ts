// The operator's commands for promotional codes and trials, which are kept at the payment provider:
//   npm run coupons                        lists the codes
//   npm run coupons -- create CODE …       creates one; docs/OPERATING.md lists the options
//   npm run coupons -- end CODE            ends one: nobody can use it any more
//   npm run coupons -- trial PLAN DAYS|off  gives a plan days of trial, or none
import { createCoupon } from "../apps/server/src/billing/coupons/createCoupon.ts";
import { endCoupon } from "../apps/server/src/billing/coupons/endCoupon.ts";
import { couponColumns, listCoupons } from "../apps/server/src/billing/coupons/listCoupons.ts";
import { codeOf, parseTerms, planOf, trialDaysFrom } from "../apps/server/src/billing/coupons/parseTerms.ts";
import { setTrial } from "../apps/server/src/billing/coupons/setTrial.ts";
import { toTable } from "../apps/server/src/platform/table.ts";
import { db, operate } from "./operate.ts";
import { connectProvider } from "./provider.ts";

const usage = `Usage: npm run coupons -- list
  create CODE --percent 20 | --amount 5.00 --currency eur
    [--for once|forever|MONTHS] [--plans wordpress_pro,…] [--until 2027-01-31] [--count 100] [--first-purchase]
  end CODE
  trial PLAN DAYS|off`;

const [verb = "list", ...args] = process.argv.slice(2);

await operate(async () => {
  if (verb === "create") {
    const terms = parseTerms(args);
    const isNew = await createCoupon({ db, stripe: connectProvider() }, terms);
    return isNew ? `${terms.code} can be used now.` : `${terms.code} exists already, with the same terms.`;
  }
  if (verb === "end" && args.length === 1) {
    const code = codeOf(args[0] as string);
    await endCoupon(connectProvider(), code);
    return `${code} has ended. Customers who have used it keep their discount.`;
  }
  if (verb === "trial" && args.length === 2) {
    const [plan, days] = [planOf(args[0] as string), trialDaysFrom(args[1] as string)];
    await setTrial(connectProvider(), plan, days);
    return `${plan} has ${days === undefined ? "no trial" : `a trial of ${days} days`}. The plans show it within a minute.`;
  }
  if (verb !== "list" || args.length > 0) throw new Error(usage);
  const rows = await listCoupons(connectProvider());
  return rows.length > 0 ? toTable([couponColumns, ...rows]) : "There is no promotional code.";
});
