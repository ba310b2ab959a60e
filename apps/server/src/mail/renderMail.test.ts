import { languages } from "@nido/contract";
import { mailExamples } from "@nido/test-kit/mailExamples";
import { describe, expect, test } from "vitest";
import { renderMail } from "./renderMail.ts";
import type { MailName } from "./templates.ts";

const look = {
  brand: "Nido & Cía",
  appUrl: new URL("https://panel.example.com"),
  supportEmail: "help@example.com",
  reader: "customer" as const,
  unsubscribeUrl: undefined,
};
const names = Object.keys(mailExamples) as MailName[];

describe.each(languages)("in %s", (lang) => {
  test.each(names)("%s says the same in HTML and in plain text", (name) => {
    const { subject, html, text } = renderMail(name, mailExamples[name], lang, look);
    expect(subject).not.toMatch(/undefined|\[object|\n/);
    expect(subject.length).toBeLessThan(90);
    const shown = html
      .replace(/<style>[\s\S]*?<\/style>|<title>.*<\/title>|<[^>]+>/g, " ")
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    for (const block of text.split(/\n+/).filter((line) => !/^(https?:|-- )/.test(line))) {
      const [label = ""] = block.split(/: |:$/);
      expect(shown).toContain(label.replace(/ · .*/, ""));
    }
    for (const [url] of text.matchAll(/https?:\S+/g)) expect(html).toContain(url.replaceAll("&", "&#38;"));
    expect(text).not.toMatch(/undefined|\[object|<|&#/);
  });
});

test("what customers wrote is never markup", () => {
  const params = {
    projectId: "1",
    name: '<img src=x onerror="alert(1)">',
    url: "https://x.example",
    category: "static",
  } as const;
  const { html } = renderMail("siteReady", params, "en", look);
  expect(html).not.toContain("<img");
});
