import { describe, expect, test } from "vitest";
import { parseConfig } from "./parseConfig.ts";

const production = {
  APP_URL: "https://panel.example.com",
  SITES_DOMAIN: "sites.example.net",
  SITES_ADDRESSES: "203.0.113.7",
  STRIPE_SECRET_KEY: "sk_live_x",
  STRIPE_WEBHOOK_SECRET: "whsec_x",
  TRUSTED_PROXIES: "127.0.0.1",
};

function faultsOf(env: Record<string, string>): string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n");
  }
}

test("without any settings, everything is local", () => {
  const config = parseConfig({});
  expect(config).toMatchObject({ PORT: 3000, SANDBOX_PORT: 3001, HOST: "127.0.0.1", isLocal: true, LOG_LEVEL: "warn" });
  expect(config.APP_URL.origin).toBe("http://localhost:3000");
  expect(config.SITES_DOMAIN).toBe("localhost:3000");
});

test("an empty value counts as unset", () => {
  expect(parseConfig({ PORT: "", DATABASE_URL: "" }).PORT).toBe(3000);
});

test("TRUSTED_PROXIES accepts IPv4 and IPv6 addresses and networks", () => {
  const { TRUSTED_PROXIES } = parseConfig({ TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8,::1,fd00::/8" });
  expect(TRUSTED_PROXIES).toEqual(["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]);
});

test("PAYMENT_METHODS is a list, by default of cards only", () => {
  expect(parseConfig({}).PAYMENT_METHODS).toEqual(["card"]);
  expect(parseConfig({ PAYMENT_METHODS: "card, sepa_debit,card" }).PAYMENT_METHODS).toEqual(["card", "sepa_debit"]);
});

test("SANDBOX_PORT is the port before PORT if PORT is the last one", () => {
  expect(parseConfig({ PORT: "65535" }).SANDBOX_PORT).toBe(65534);
});

test("production settings are accepted, and are not local", () => {
  expect(parseConfig(production)).toMatchObject({ isLocal: false, LOG_LEVEL: "info" });
});

describe("an invalid setting is reported with its name and value", () => {
  test.each([
    [{ PORT: "abc" }, "PORT=abc must be a whole number from 1 to 65535."],
    [{ PORT: "70000" }, "PORT=70000 must be a whole number from 1 to 65535."],
    [{ PORT: "0" }, "PORT=0 must be a whole number from 1 to 65535."],
    [{ TRUSTED_PROXIES: "nginx" }, "TRUSTED_PROXIES=nginx must be addresses or networks, with commas between them."],
    [
      { TRUSTED_PROXIES: "10.0.0.0/33" },
      "TRUSTED_PROXIES=10.0.0.0/33 must be addresses or networks, with commas between them.",
    ],
    [{ PORT: "3.5" }, "PORT=3.5 must be a whole number from 1 to 65535."],
    [{ APP_URL: "panel" }, "APP_URL=panel must be an http or https address."],
    [{ APP_URL: "ftp://x" }, "APP_URL=ftp://x must be an http or https address."],
    [
      { APP_URL: "http://localhost:1/x" },
      "APP_URL=http://localhost:1/x must have no path: the dashboard lives at the root of its host.",
    ],
    [{ PAYMENT_METHODS: "sepa_debit" }, "PAYMENT_METHODS=sepa_debit must contain card."],
    [
      { PAYMENT_METHODS: "card,cash" },
      "PAYMENT_METHODS=card,cash must be one or more of card, link, paypal, sepa_debit, us_bank_account, bacs_debit, au_becs_debit, with commas between them.",
    ],
    [{ STRIPE_TAX_COUNTRY: "Spain" }, "STRIPE_TAX_COUNTRY=Spain must be a country code like ES."],
    [{ SUPPORT_EMAIL: "nobody" }, "SUPPORT_EMAIL=nobody must be an e-mail address."],
    [{ GOOGLE_CLIENT_ID: "id" }, "GOOGLE_CLIENT_ID is set but GOOGLE_CLIENT_SECRET is not: set both, or neither."],
    [
      { STRIPE_WEBHOOK_SECRET: "whsec" },
      "STRIPE_WEBHOOK_SECRET is set but STRIPE_SECRET_KEY is not: set both, or neither.",
    ],
  ])("%o", (env, message) => {
    expect(faultsOf(env as unknown as Record<string, string>)).toEqual([message]);
  });

  test("but without the value if it may hold a secret", () => {
    expect(faultsOf({ DATABASE_URL: "mysql://root:hunter2@db" })).toEqual([
      "DATABASE_URL must be a postgres:// address.",
    ]);
  });
});

test("all invalid settings are reported together", () => {
  expect(faultsOf({ PORT: "x", SUPPORT_EMAIL: "y", GOOGLE_CLIENT_ID: "z" })).toHaveLength(3);
  expect(faultsOf({ PORT: "x", APP_URL: "https://panel.example.com" })).toHaveLength(5);
});

describe("with a public APP_URL", () => {
  test("a missing payment provider is reported", () => {
    const { STRIPE_SECRET_KEY: _key, STRIPE_WEBHOOK_SECRET: _secret, ...env } = production;
    expect(faultsOf(env)).toEqual([expect.stringContaining("STRIPE_SECRET_KEY is not set")]);
  });

  test.each(["example.com", "sites.example.com", "panel.example.com"])("SITES_DOMAIN=%s is refused", (domain) => {
    expect(faultsOf({ ...production, SITES_DOMAIN: domain })).toEqual([
      expect.stringContaining(`SITES_DOMAIN=${domain} must not share the registrable domain`),
    ]);
  });

  test("the registrable domain follows country suffixes (co.uk), not company suffixes (github.io)", () => {
    const env = { ...production, APP_URL: "https://a.github.io", SITES_DOMAIN: "b.github.io" };
    expect(faultsOf(env)).toEqual([expect.stringContaining("registrable")]);
    expect(faultsOf({ ...production, APP_URL: "https://a.co.uk", SITES_DOMAIN: "b.co.uk" })).toEqual([]);
  });
});

test.each([
  ["http://localhost:8080", true],
  ["http://panel.localhost", true],
  ["http://127.0.0.1:3000", true],
  ["http://127.9.9.9", true],
  ["http://[::1]:3000", true],
])("APP_URL=%s is local", (url, isLocal) => {
  expect(parseConfig({ APP_URL: url }).isLocal).toBe(isLocal);
});

test.each(["http://localhost.example.com", "http://127.0.0.1.example.com", "http://10.0.0.1", "http://0.0.0.0"])(
  "APP_URL=%s is not local",
  (url) => {
    expect(parseConfig({ ...production, APP_URL: url }).isLocal).toBe(false);
  },
);
