import type { Page } from "@playwright/test";
import { expect, type Nido } from "./nido.ts";
import {
  accountEn,
  accountEs,
  activityEn,
  activityEs,
  en,
  errorsEn,
  errorsEs,
  es,
  projectEn,
  projectEs,
  wizardEn,
  wizardEs,
} from "./texts.ts";

export const languages = {
  es: { ...es, ...accountEs, ...activityEs, ...projectEs, ...wizardEs, errors: errorsEs },
  en: { ...en, ...accountEn, ...activityEn, ...projectEn, ...wizardEn, errors: errorsEn },
};
export type Texts = (typeof languages)["es" | "en"];

/** Buys a static site, from the plan list to the success page. */
export async function buyStatic(page: Page, t: Texts, lang = "") {
  const name = `site${Math.random().toString(36).slice(2, 10)}`;
  await page.goto(`/newproject?category=static${lang && `&lang=${lang}`}`);
  await page.getByRole("button", { name: t.newProject.choose }).click();
  await page.getByLabel(t.newProject.nameLabel).fill(name);
  await page.getByRole("button", { name: t.common.continue, exact: true }).click();
  await page.getByRole("button", { name: /^(Pagar|Pay) €?\d/ }).click();
  await expect(page.getByRole("heading", { name: t.newProject.staticSuccessTitle })).toBeVisible();
  return { name, ...(await onlyProject(page)) };
}

/** Buys a WordPress, from the plan list to the first look at it. */
export async function buyWordPress(page: Page, t: Texts, lang: string) {
  const name = `site${Math.random().toString(36).slice(2, 10)}`;
  await page.goto(`/newproject?category=wordpress&lang=${lang}`);
  await page.getByRole("button", { name: t.newProject.choose }).first().click();
  await page.getByLabel(t.newProject.nameLabel).fill(name);
  await page.getByRole("button", { name: t.common.continue, exact: true }).click();
  await page.getByLabel(t.newProject.usernameLabel).fill("lucia");
  await page.getByRole("button", { name: t.common.continue, exact: true }).click();
  await page.getByRole("button", { name: /^(Pagar|Pay) €?\d/ }).click();
  await expect(page.getByRole("heading", { name: t.newProject.progressDone })).toBeVisible();
  return { name, ...(await onlyProject(page)) };
}

async function onlyProject(page: Page) {
  const { projects } = await (await page.request.get("/redux")).json();
  const [project] = Object.values<{ id: string; sub_id: string }>(projects);
  return { id: project?.id ?? "", subId: project?.sub_id ?? "" };
}

/** Lets something happen to a subscription at the provider. */
export async function happens(nido: Nido, subId: string, action: string) {
  const response = await fetch(`${nido.sandbox}/stripe/subscription/${subId}`, {
    method: "POST",
    body: new URLSearchParams({ action }),
    redirect: "manual",
  });
  expect(response.status).toBe(303);
}

export async function picture(page: Page, name: string) {
  await page.screenshot({ path: `../test-results/screens/${name}.png`, fullPage: true });
}
