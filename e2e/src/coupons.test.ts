import { formatMoney, type Language } from "@nido/contract";
import type { Page } from "@playwright/test";
import { expect, gainSession, inLanguage, test, uniqueEmail } from "./nido.ts";
import { accountEn, accountEs, en, errorsEn, errorsEs, es, say, wizardEn, wizardEs } from "./texts.ts";

const languages = {
  es: { ...es, ...accountEs, ...wizardEs, errors: errorsEs },
  en: { ...en, ...accountEn, ...wizardEn, errors: errorsEn },
};
type Texts = (typeof languages)["es" | "en"];

for (const [lang, t] of Object.entries(languages) as [Language, Texts][]) {
  const euros = (cents: number) => formatMoney(cents, "eur", lang);
  const { newProject } = t;

  test.describe(lang, inLanguage(lang), () => {
    test("a code that operators made is seen on the plans it counts for, and on the payment page", async ({
      page,
      nido,
    }) => {
      const code = `SPRING-${Math.random().toString(36).slice(2, 8)}`.toUpperCase();
      const terms = ["--percent", "25", "--for", "6", "--plans", "static_starter", "--count", "5"];
      expect(await nido.operate("coupons", "create", code, ...terms)).toContain(`${code} can be used now.`);
      await gainSession(page, uniqueEmail(), lang);
      await page.goto(`/newproject?category=wordpress&promo=${code}&lang=${lang}`);
      const value = say(newProject.promotion.percent, { percent: "25" });
      await expect(page.getByText(say(newProject.promotion.repeating, { value, months: "6" }))).toBeVisible();
      await expect(page.getByText(say(newProject.promotion.plans, { plans: t.recipes.static_starter }))).toBeVisible();
      await expect(page.getByText(newProject.before)).toHaveCount(0);
      await page.getByRole("article", { name: "WordPress pro" }).getByRole("button").click();
      await nameSite(page, t);
      await page.getByLabel(newProject.usernameLabel).fill("lucia");
      await page.getByRole("button", { name: t.common.continue, exact: true }).click();
      await expect(page.getByText(t.errors.error_promotion_not_for_plan)).toBeVisible();
      await expect(page.getByRole("link", { name: newProject.withoutPromotion })).toBeVisible();

      await page.goto(`/newproject?category=static&promo=${code.toLowerCase()}`);
      await page.getByText(newProject.month, { exact: true }).click();
      const saved = { amount: euros(225), later: euros(300), payments: "6" };
      await expect(page.getByText(say(newProject.billed.month.repeating, saved))).toBeVisible();
      await page.getByRole("button", { name: newProject.choose }).click();
      await nameSite(page, t);
      await page.getByRole("button", { name: euros(225) }).click();
      await expect(page.getByRole("heading", { name: newProject.staticSuccessTitle })).toBeVisible();
      expect(await nido.operate("coupons")).toMatch(new RegExp(`^${code} .* 1 of 5 .* active$`, "m"));
      const [columns, row] = (await nido.operate("reports", "--csv", "--months", "1")).split("\r\n");
      expect(columns).toContain("month,currency,mrr");
      expect(row).toMatch(/^\d{4}-\d\d,eur,/);
    });

    test("a trial: nothing is due today, and the products say when the first payment is", async ({ page, nido }) => {
      await nido.operate("coupons", "trial", "wordpress_business", "14");
      await gainSession(page, uniqueEmail(), lang);
      const card = page.getByRole("article", { name: "WordPress business" });
      const trial = say(newProject.billed.year.trial_other, { count: "14", amount: euros(23900) });
      // The catalogue is a minute old at most.
      await expect(async () => {
        await page.goto(`/newproject?category=wordpress&lang=${lang}`);
        await expect(card).toContainText(trial, { timeout: 10_000 });
      }).toPass();
      await card.getByRole("button").click();
      await nameSite(page, t);
      await expect(page.getByText(say(newProject.summary.trialDays_other, { count: "14" }))).toBeVisible();
      await page.getByLabel(newProject.usernameLabel).fill("lucia");
      await page.getByRole("button", { name: t.common.continue, exact: true }).click();
      await page.getByRole("button", { name: euros(0) }).click();
      await expect(page.getByRole("heading", { name: newProject.progressTitle })).toBeVisible();
      await page.goto("/settings?tab=products");
      await expect(page.getByText(t.products.state.trial, { exact: true })).toBeVisible();
      await expect(page.getByText(t.products.firstBilling)).toBeVisible();
      await expect(page.getByText(t.products.lastBilling)).toHaveCount(0);
      await page.goto("/newproject?category=wordpress");
      await expect(card).toContainText(say(newProject.billed.year.plain, { amount: euros(23900) }));
      await expect(card).not.toContainText(trial);
      await nido.operate("coupons", "trial", "wordpress_business", "off");
    });
  });
}

async function nameSite(page: Page, { newProject, common }: Texts) {
  await page.getByLabel(newProject.nameLabel).fill(`site${Math.random().toString(36).slice(2, 10)}`);
  await page.getByRole("button", { name: common.continue, exact: true }).click();
}
