// The operator's figures by month and currency: recurring revenue, subscriptions, payments, refunds, debts:
//   npm run reports                 a table of the last twelve months, with what each column counts
//   npm run reports -- --months 24  more months, 60 at most
//   npm run reports -- --csv        for a spreadsheet
import { parseArgs } from "node:util";
import { legend, makeReport } from "../apps/server/src/billing/reports/makeReport.ts";
import { toCsv, toTable } from "../apps/server/src/platform/table.ts";
import { db, operate } from "./operate.ts";
import { connectProvider } from "./provider.ts";

await operate(async () => {
  const options = { csv: { type: "boolean" }, months: { type: "string", default: "12" } } as const;
  const { values } = parseArgs({ options });
  const months = Number(values.months);
  if (!Number.isInteger(months) || months < 1 || months > 60)
    throw new Error("--months is a whole number from 1 to 60.");
  const rows = await makeReport({ db, stripe: connectProvider() }, months);
  return values.csv ? toCsv(rows).trimEnd() : `${toTable(rows)}\n\n${legend}`;
});
