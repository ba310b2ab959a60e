import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { es } from "../../apps/dashboard/src/i18n/es.ts";
import { expect, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const looks = [
  { lang: "es", theme: "light", width: 1280 },
  { lang: "en", theme: "dark", width: 390 },
] as const;

const signedOut = [
  "/login",
  "/newproject/purchase",
  "/clilogin",
  "/clisuccess",
  "/newproject/wp/1",
  "/newproject/wp/2",
];
const signedIn = [
  "/projects",
  "/projects/unknown",
  "/settings",
  "/settings?tab=products",
  "/settings/referrals",
  "/settings?tab=support",
  "/newdomain",
  "/deleteproject",
  "/selectcategory",
  "/newproject",
  "/newproject/static/1",
  "/newproject/purchase",
  "/newproject/error",
  "/purchase",
  "/clilogin",
  "/nothing/here",
];

for (const look of looks) {
  const { lang, theme, width } = look;
  test(`signed out, in ${lang}, ${theme}, ${width} wide`, async ({ page, consoleErrors }) => {
    await wear(page, look);
    for (const path of signedOut) await inspect(page, path, look);
    expect(consoleErrors).toEqual([]);
  });

  test(`signed in, in ${lang}, ${theme}, ${width} wide`, async ({ page, consoleErrors }) => {
    test.setTimeout(90_000);
    await signInWithGoogle(page, uniqueEmail());
    await wear(page, look);
    for (const path of signedIn) await inspect(page, path, look);

    await page.goto("/settings");
    const dialogs = page.getByRole("main").getByRole("button", { name: /^(Añadir|Cambiar|Add|Change) / });
    await expect(dialogs).toHaveCount(5);
    for (let index = 0; index < 5; index++) {
      await dialogs.nth(index).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectQuality(page, `/dialog-${index}`, look);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toBeHidden();
    }
    if (width < 500) {
      await page.getByRole("button", { name: "Menu" }).click();
      await expectQuality(page, "/menu", look);
    }
    expect(consoleErrors).toEqual([]);
  });
}

type Look = (typeof looks)[number];

async function wear(page: Page, { lang, theme, width }: Look) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  await page.goto(`/login?lang=${lang}`);
}

async function inspect(page: Page, path: string, look: Look) {
  await page.goto(path);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expectQuality(page, path, look);
}

/** No accessibility fault, no missing text, nothing to scroll sideways for; and a picture of it. */
async function expectQuality(page: Page, name: string, { lang, theme, width }: Look) {
  await page.evaluate(() => document.fonts.ready);
  const file = `${name.slice(1).replace(/\W+/g, "-")}-${lang}-${theme}-${width}.png`;
  await page.screenshot({ path: `../test-results/screens/${file}`, fullPage: true });
  const { violations } = await new AxeBuilder({ page }).analyze();
  const faults = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  expect(faults, name).toEqual([]);
  const text = await page.locator("body").textContent();
  expect(text, name).not.toMatch(/undefined|\[object|\{\{/);
  const keys = Object.keys(es).join("|");
  expect(text, name).not.toMatch(new RegExp(`\\b(${keys})\\.[a-z]\\w+`));
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, name).toBeLessThanOrEqual(0);
}
