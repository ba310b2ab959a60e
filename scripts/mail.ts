// The operator's commands for mail to customers:
//   npm run mail -- status         how many messages wait, were sent or refused in the last month
//   npm run mail -- suppressed     the addresses that get no more mail, and why
//   npm run mail -- allow ADDRESS  writes to an address again
import { allowAddress, countMessages, findSuppressions } from "../apps/server/src/mail/queries.ts";
import { db, operate } from "./operate.ts";

const [verb = "", address = ""] = process.argv.slice(2);

await operate(act);

async function act(): Promise<string> {
  if (verb === "status") {
    const counts = await countMessages(db);
    return counts.map(({ status, count }) => `${status.padEnd(12)} ${count}`).join("\n") || "There are no messages.";
  }
  if (verb === "suppressed") {
    const rows = await findSuppressions(db);
    const lines = rows.map(
      (row) => `${row.createdAt.toISOString().slice(0, 10)}  ${row.reason.padEnd(10)} ${row.address}`,
    );
    return lines.join("\n") || "No address is suppressed.";
  }
  if (verb === "allow" && address !== "") {
    if (await allowAddress(db, address)) return `${address} gets mail again.`;
    throw new Error(`${address} is not suppressed.`);
  }
  throw new Error("Usage: npm run mail -- status | suppressed | allow ADDRESS");
}
