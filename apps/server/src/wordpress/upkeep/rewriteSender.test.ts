import { expect, test } from "vitest";
import { rewriteSender } from "./rewriteSender.ts";

const own = "sites@nido.example";
const rewrite = (...lines: string[]) => String(rewriteSender(Buffer.from(lines.join("\r\n")), own));

test("the sender becomes the platform's address; the site's own stays as name and Reply-To", () => {
  expect(rewrite("Date: today", "From: Tienda <hola@ana.es>", "To: x@y.es", "", "Hola")).toBe(
    [`From: "Tienda" <${own}>`, "Reply-To: hola@ana.es", "Date: today", "To: x@y.es", "", "Hola"].join("\r\n"),
  );
  expect(rewrite("From: =?UTF-8?Q?Caf=C3=A9?= <a@b.es>", "", "x")).toContain(`From: =?UTF-8?Q?Caf=C3=A9?= <${own}>`);
  expect(rewrite("From: a@b.es", "Reply-To: Ana <ana@b.es>", "", "x")).toContain("Reply-To: Ana <ana@b.es>");
});

test.each([
  ["two senders", "From: a@bank.es\r\nfrom: Bank <b@bank.es>"],
  ["a folded sender", "From: Bank\r\n <b@bank.es>"],
  ["a Sender and a Return-Path", "From: a@b.es\r\nSender: b@bank.es\r\nReturn-Path: <b@bank.es>"],
  ["spaces before the colon", "From : b@bank.es"],
  ["a resent message", "Resent-From: b@bank.es\r\nFrom: a@b.es"],
  ["a name that looks like an address", 'From: "b@bank.es" <a@b.es>'],
  ["two addresses in one sender", "From: =?UTF-8?Q?x?= b@bank.es <a@b.es>"],
  ["a lone carriage return", "From: a@b.es\rSender: b@bank.es"],
  ["bare line feeds", "From: b@bank.es\nTo: x@y.es"],
])("with %s, no header but Reply-To names another sender", (_what, head) => {
  const text = rewrite(head, "To: x@y.es", "", "body");
  const fields = text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n");
  expect(fields.filter((line) => /^(from|sender|return-path|resent-from)\s*:/i.test(line))).toEqual([
    expect.stringMatching(/^From: [^@]*<sites@nido\.example>$/),
  ]);
  expect(text.endsWith("body")).toBe(true);
});

test("a message of megabytes without an address, or with a huge head, is dealt with at once", () => {
  const long = "a".repeat(20_000_000);
  expect(rewrite(`From: ${long}`, "", "x")).toBe("undefined");
  expect(rewrite(`From: ${"a<".repeat(30_000)}`, "", long).length).toBeGreaterThan(20_000_000);
});
