import { expect, test } from "vitest";
import type { Context } from "../Context.ts";
import { texts } from "../texts.ts";
import { listCron, php, sendTestMail, switchListing, switchPlugin } from "./wordpress.ts";

const answers: Record<string, unknown> = {
  "GET /sites": [{ id: "1", name: "tienda" }],
  "GET /sites/1/plugins": { plugins: [{ id: "shop/shop.php", name: "Shop", version: "1", is_active: true }] },
  "GET /sites/1/updates": { php: "8.3.31", php_versions: ["8.4", "8.3"] },
  "GET /sites/1/care": { cron: [{ at: 1_800_000_000, hook: "wp_version_check", every: 43_200 }] },
};

/** What a command asks of the server, and what it says. */
function open() {
  const asked: unknown[] = [];
  const said: string[] = [];
  const call = async (method: string, path: string, body?: unknown) => {
    if (method !== "GET") asked.push([method, path, body]);
    return answers[`${method === "PUT" ? "GET" : method} ${path}`];
  };
  const say = (text: string) => said.push(text);
  const terminal = { list: (lines: string[]) => said.push(...lines), succeed: say, data: () => undefined };
  const client = { call, callOnce: call };
  const context = { t: texts.en, terminal, signedIn: () => client, projectName: () => "tienda" };
  return { context: context as unknown as Context, asked, said };
}

test("automatic updates, search engines and a test message are asked for", async () => {
  const { context, asked, said } = open();
  await switchPlugin(context, "shop", "automatic_on");
  await switchPlugin(context, "shop/shop.php", "off");
  await switchListing(context, false);
  await sendTestMail(context);
  expect(asked).toEqual([
    ["PUT", "/sites/1/plugins", { on: [], off: [], automatic_on: ["shop/shop.php"] }],
    ["PUT", "/sites/1/plugins", { on: [], off: ["shop/shop.php"] }],
    ["PUT", "/sites/1/care", { is_listed: false }],
    ["POST", "/sites/1/mail", {}],
  ]);
  expect(said.at(-2)).toContain("not to list");
});

test("WP-Cron's plan is listed, and another PHP is taken back by choosing the old one", async () => {
  const { context, said } = open();
  await listCron(context);
  expect(said).toEqual([expect.stringContaining("wp_version_check")]);
  await php(context, "8.4");
  expect(said.at(-1)).toBe("The site now runs PHP 8.4. To go back: nido wp php 8.3");
});
