import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { buy, newBuyer, openShop } from "@nido/test-kit/shop";
import { expect, test } from "vitest";

const program = resolve(import.meta.dirname, "../../../../../scripts/refunds.ts");

test("an operator refunds a part of an invoice, and finds it in the list", async () => {
  const shop = await openShop();
  const { headers, email } = await newBuyer(shop);
  await buy(shop, headers);
  const [invoice] = (await shop.stripe.invoices.list()).data;
  const { secretKey, webhookSecret, apiUrl } = shop.sandbox.stripe;
  const env = {
    ...process.env,
    DATABASE_URL: shop.server.databaseUrl,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: apiUrl.href,
  };
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, ...args], { env }).catch(
      (error) => error,
    );
    return `${stdout}${stderr}`.trim();
  };

  expect(await run()).toBe("Nothing is owed.");
  expect(await run("refund", "x")).toMatch(/^Usage/);
  const request = ["refund", invoice?.number as string, "12,50", "--reason", "duplicate"];
  expect(await run(...request)).toMatch(/^12\.50 EUR are refunded: /);
  expect(await run(...request)).toMatch(/were refunded on .*--again/);
  expect((await shop.stripe.refunds.list()).data).toMatchObject([{ amount: 1250, reason: "duplicate" }]);
  const list = await run("list");
  expect(list).toContain("Nothing is owed.");
  expect(list).toMatch(new RegExp(`12\\.50 EUR {2}refunded {2}${invoice?.id} {2}${email} {2}duplicate`));
  expect(await run("settled", "nothing")).toBe("No refund nothing is owed.");
});
