import { expect, test } from "vitest";
import { parseConfig } from "./parseConfig.ts";
import { productionWarnings } from "./productionWarnings.ts";

const safe = {
  APP_URL: "https://panel.example.com",
  SITES_DOMAIN: "netlify.app",
  SITES_ADDRESSES: "203.0.113.1",
  STRIPE_SECRET_KEY: "sk_live_x",
  STRIPE_WEBHOOK_SECRET: "whsec_x",
  TRUSTED_PROXIES: "127.0.0.1",
  DATABASE_URL: "postgres://nido@127.0.0.1/nido",
  WORDPRESS_RUNTIME: "native",
  ENCRYPTION_KEY: "0123456789abcdef0123456789abcdef",
  SMTP_URL: "smtp://mail.example.com",
  MAIL_FROM: "post@sites.example",
};

test("safe settings, and a local machine, give no warning", () => {
  expect(productionWarnings(parseConfig(safe), 1000)).toEqual([]);
  expect(productionWarnings(parseConfig({}), 0)).toEqual([]);
});

test.each([
  ["SITES_DOMAIN=sites.example.net is not in the Public Suffix List", { SITES_DOMAIN: "sites.example.net" }],
  ["is not https", { APP_URL: "http://panel.example.com" }],
  ["WORDPRESS_RUNTIME=embedded", { WORDPRESS_RUNTIME: "embedded" }],
  ["DATABASE_URL is not set", { DATABASE_URL: "" }],
  ["MAIL_FROM is not set", { MAIL_FROM: "" }],
  ["SMTP_URL is not set", { SMTP_URL: "" }],
  ["ENCRYPTION_KEY is not set", { ENCRYPTION_KEY: "" }],
  ["SITES_CERTIFICATES=on-demand", { SITES_CERTIFICATES: "on-demand" }],
])("warns: %s", (text, env) => {
  expect(productionWarnings(parseConfig({ ...safe, ...env }), 1000)).toEqual([expect.stringContaining(text)]);
});

test("warns when it runs as root, and refuses to start behind a proxy that it does not know", () => {
  expect(productionWarnings(parseConfig(safe), 0)).toEqual([expect.stringContaining("runs as root")]);
  expect(() => parseConfig({ ...safe, TRUSTED_PROXIES: "" })).toThrow(
    /TRUSTED_PROXIES is not set.*Set TRUSTED_PROXIES=127\.0\.0\.1/,
  );
});
