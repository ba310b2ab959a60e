import { renderMail } from "@nido/server/mail/renderMail";
import type { MailName } from "@nido/server/mail/templates";
import { mailExamples } from "@nido/test-kit/mailExamples";
import { expect, test } from "@playwright/test";
import axe from "axe-core";
import { inLanguage, long } from "./nido.ts";

const look = {
  brand: "Nido",
  appUrl: new URL("https://panel.example.com"),
  supportEmail: "hola@nido.example",
  reader: "customer" as const,
  unsubscribeUrl: "https://panel.example.com/mail/unsubscribe/x",
};

for (const lang of ["es", "en"] as const)
  for (const colorScheme of ["light", "dark"] as const)
    test(
      `every message, ${lang}, ${colorScheme}: readable, and narrow enough for a phone`,
      colorScheme === "dark" ? long : inLanguage(lang),
      async ({ page }) => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width: 390, height: 700 });
        for (const name of Object.keys(mailExamples) as MailName[]) {
          const { html } = renderMail(name, mailExamples[name], lang, look);
          await page.setContent(html);
          const file = `../test-results/mail/${name}-${lang}-${colorScheme}.png`;
          await page.screenshot({ path: file, fullPage: true });
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect(overflow, name).toBeLessThanOrEqual(0);
          await page.evaluate(axe.source);
          const faults = await page.evaluate(async () => {
            const { axe } = window as unknown as { axe: typeof import("axe-core") };
            const { violations } = await axe.run(document, { runOnly: ["wcag2a", "wcag2aa"] });
            return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
          });
          expect(faults, name).toEqual([]);
        }
      },
    );
