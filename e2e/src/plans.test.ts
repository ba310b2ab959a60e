import { formatMoney, type Language, resourcesOf } from "@nido/contract";
import { openSeed } from "@nido/test-kit/seed";
import { waitForMail } from "./mailbox.ts";
import { anotherBrowser, expect, gainSession, inLanguage, test, uniqueEmail } from "./nido.ts";
import { buyStatic, buyWordPress, happens, languages, picture, type Texts } from "./purchases.ts";
import { say, startOf } from "./texts.ts";

for (const [lang, t] of Object.entries(languages) as [Language, Texts][]) {
  const euros = (cents: number) => formatMoney(cents, "eur", lang);

  test.describe(lang, inLanguage(lang), () => {
    test("a WordPress takes a larger plan, which is paid on the provider's page if the card is refused, and a smaller one only if it fits", async ({
      page,
      nido,
      context,
      consoleErrors,
    }) => {
      const email = uniqueEmail();
      await gainSession(page, email, lang);
      const { id } = await buyWordPress(page, t, lang);
      const seed = await openSeed(nido.databaseUrl, email);
      const { disk, memory } = resourcesOf("wordpress_starter");
      await seed.setUse(id, { disk: disk * 0.9, memory: memory / 2 });
      await page.goto(`/projects/${id}?tab=plan`);
      const plan = (name: string) => page.getByRole("article", { name: new RegExp(name, "i") });
      await expect(page.getByText(say(t.plan.fits.larger, { plan: t.recipes.wordpress_pro }))).toBeVisible();
      await picture(page, `plan-advice-${lang}`);

      const dialog = page.getByRole("dialog");
      await plan("pro").getByRole("button").click();
      await dialog.getByRole("button", { name: startOf(t.plan.confirmAndPay) }).click();
      await expect(page.getByText(say(t.plan.per.year, { amount: euros(11_900) }))).toBeVisible();

      // The card is refused: the plan changes once it is paid on the provider's page.
      const portal = await context.newPage();
      await portal.goto("/settings?tab=products");
      await portal.getByRole("button", { name: t.products.portal }).click();
      await portal.getByRole("button", { name: /0341/ }).click();
      await expect(portal.getByText("•••• 0341")).toBeVisible();
      await portal.close();
      await plan("business").getByRole("button").click();
      await dialog.getByRole("button", { name: startOf(t.plan.confirmAndPay) }).click();
      await expect(dialog).toContainText(t.plan.unpaidTitle);
      await picture(page, `plan-unpaid-${lang}`);
      const opening = context.waitForEvent("page");
      await dialog.getByRole("link", { name: t.plan.pay }).click();
      const invoice = await opening;
      await invoice.getByRole("button", { name: /^(Pagar|Pay)$/ }).click();
      await expect(page.getByText(say(t.plan.per.year, { amount: euros(23_900) }))).toBeVisible();

      await seed.setUse(id, { disk: 30e9, memory });
      await page.reload();
      const refusal = say(t.plan.tooSmall, { used: "30 GB", allowed: "25 GB" });
      await expect(plan("pro").getByText(refusal)).toBeVisible();
      await expect(plan("pro").getByRole("button")).toBeHidden();
      await picture(page, `plan-too-small-${lang}`);
      await seed.setUse(id, { disk: 1e9, memory: 40 });
      await page.reload();
      await expect(page.getByText(say(t.plan.fits.smaller, { plan: t.recipes.wordpress_starter }))).toBeVisible();
      await plan("pro").getByRole("button").click();
      await dialog.getByRole("button", { name: t.plan.confirm }).click();
      await expect(page.getByText(startOf(t.plan.undoText))).toBeVisible();
      await page.goto("/settings?tab=products");
      await expect(page.getByText(startOf(t.invoices.credit))).toBeVisible();
      await picture(page, `credit-${lang}`);
      await seed.close();
      expect(consoleErrors).toEqual([]);
    });

    test("a site that was suspended for its debt is paid from the message, signed out, and comes back at once", async ({
      page,
      nido,
      browser,
    }) => {
      const email = uniqueEmail();
      await gainSession(page, email, lang);
      const { id, subId } = await buyStatic(page, t, lang);
      await happens(nido, subId, "failPeriod");
      const message = await waitForMail(nido, email, /^(No hemos podido cobrar|We couldn't take the payment)/);
      const seed = await openSeed(nido.databaseUrl, email);
      await page.goto(`/projects/${id}`);
      await expect(page.getByRole("link", { name: startOf(t.debt.suspends) })).toBeVisible();
      await seed.endGrace(id);
      await expect(page.getByRole("link", { name: startOf(t.debt.suspended) })).toBeVisible();
      await picture(page, `suspended-${lang}`);

      const stranger = await anotherBrowser(browser, nido);
      await stranger.page.goto(/http\S+\/stripe\/\S+/.exec(message.text)?.[0] ?? "");
      await stranger.page.getByRole("button", { name: /^(Pagar|Pay)$/ }).click();
      await expect(page.getByRole("link", { name: startOf(t.debt.suspended) })).toBeHidden();
      await expect(page.getByText(t.projects.status.active).first()).toBeVisible();
      await stranger.context.close();
      await seed.close();
    });
  });
}
