import { expect, test } from "vitest";
import { headersForPhp, headersForVisitor } from "./headers.ts";

test.each([
  "e=1; Domain=sites.example.net",
  "e=1; Domain =localhost",
  "e=1;\tdomain\t=\tlocalhost; Path=/",
  "e=1; DOMAIN",
  "e=1; Domain=a; Domain = b",
])("a cookie loses its Domain however it is written: %s", (cookie) => {
  const [sent = ""] = [headersForVisitor({ "set-cookie": [cookie] })["set-cookie"]].flat();
  expect(sent).toMatch(/^e=1/);
  expect(sent.toLowerCase()).not.toContain("domain");
});

test("a cookie's value and other attributes stay", () => {
  const cookie = "domain=x; Path=/; HttpOnly; Max-Age=5";
  expect(headersForVisitor({ "set-cookie": [cookie] })["set-cookie"]).toEqual([cookie]);
});

test("visitors cannot pass PHP an address or a proxy of their choice", () => {
  const names = [
    ..."cf-connecting-ip true-client-ip client-ip x-client-ip x-cluster-client-ip fastly-client-ip".split(" "),
    ..."x-real-ip x-forwarded-for x-forwarded-host forwarded proxy x-nido-sign-in remote_addr".split(" "),
  ];
  const headers = Object.fromEntries(names.map((name) => [name, "203.0.113.1"]));
  expect(headersForPhp({ ...headers, accept: "text/html" })).toEqual({ accept: "text/html" });
});
