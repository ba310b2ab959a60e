import { connect } from "@nido/server/db/connect";
import { cliOf, giveToken } from "@nido/test-kit/publish";
import type { Page } from "@playwright/test";
import { sql } from "drizzle-orm";
import { unzipSync } from "fflate";
import { waitForMail } from "./mailbox.ts";
import {
  anotherBrowser,
  expect,
  gainSession,
  inLanguage,
  type Nido,
  signInWithGoogle,
  test,
  uniqueEmail,
} from "./nido.ts";
import { accountEn, accountEs, activityEn, activityEs, en, es, projectEn, projectEs, say } from "./texts.ts";

const languages = {
  es: { ...es, ...accountEs, ...activityEs, ...projectEs },
  en: { ...en, ...accountEn, ...activityEn, ...projectEn },
};
type Texts = (typeof languages)["es" | "en"];

/** Signs in and buys a static site, as a customer who has paid. */
async function withSite(page: Page, nido: Nido, lang: string) {
  const email = uniqueEmail();
  await gainSession(page, email, lang);
  await page.goto(`/projects?lang=${lang}`);
  const name = `folio${Math.random().toString(36).slice(2, 10)}`;
  const offers = await (await page.request.get("/billing/products?recipe_category=static")).json();
  const order = { project_name: name, username: "", promo: "", locale: lang, category: "static" };
  const session = await page.request.post(`/billing/session/${offers.year[0].plan.id}`, {
    data: order,
    headers: { origin: nido.origin },
  });
  const { id } = await session.json();
  await fetch(`${nido.sandbox}/stripe/pay/${id}`, {
    method: "POST",
    body: new URLSearchParams({ action: "pay" }),
    redirect: "manual",
  });
  await expect(page.getByRole("listitem").filter({ hasText: name })).toBeVisible();
  return { email, name };
}

async function open(page: Page, t: Texts, tab: "activity" | "data") {
  await page.goto(`/settings?tab=${tab}`);
  await expect(page.getByRole("link", { name: t.settings.tabs[tab] })).toHaveAttribute("aria-current", "page");
}

for (const [lang, t] of Object.entries(languages)) {
  test.describe(lang, inLanguage(lang), () => {
    test("what changed is told in sentences, and a removed domain and a deleted project come back", async ({
      page,
      nido,
      consoleErrors,
    }) => {
      const { name } = await withSite(page, nido, lang);
      const entry = (text: string) => page.getByRole("listitem").filter({ hasText: text });
      await page.getByRole("link", { name: t.projects.manage }).click();
      await page.getByRole("link", { name: t.project.tabs.configuration }).click();
      await page.getByRole("link", { name: t.project.addDomain }).click();
      await page.getByLabel(t.domains.label).fill("www.example.com");
      await page.getByRole("button", { name: t.domains.add }).click();
      await page.getByRole("link", { name: "www.example.com" }).first().click();
      await page.getByRole("button", { name: t.domains.delete }).click();
      await page.getByRole("link", { name: t.project.tabs.activity }).click();
      const removed = say(t.activity.kinds.domainRemoved, { domain: "www.example.com", project: name });
      await expect(entry(removed)).toContainText(t.activity.by.session);
      await page.screenshot({ path: `../test-results/screens/activity-project-${lang}.png`, fullPage: true });
      await entry(removed).getByRole("button", { name: t.activity.undo }).click();
      await expect(entry(removed)).toContainText(t.activity.undone);
      await page.getByRole("link", { name: t.project.tabs.configuration }).click();
      await expect(page.getByText("www.example.com").first()).toBeVisible();

      await page.getByRole("link", { name: t.project.deleteStart }).click();
      await page.getByLabel(say(t.project.deleteConfirm, { name })).fill(name);
      await page.getByRole("button", { name: t.project.deleteDo }).click();
      await expect(page.getByText(say(t.projects.deleted, { name }))).toBeVisible();
      await page.getByRole("link", { name: t.projects.deletedUndo }).click();
      const deletion = entry(say(t.activity.kinds.projectDeleted, { project: name, until: "" }).slice(0, 30));
      await expect(deletion).toBeVisible();
      await page.screenshot({ path: `../test-results/screens/activity-account-${lang}.png`, fullPage: true });
      await deletion.getByRole("button", { name: t.activity.undo }).click();
      await expect(entry(say(t.activity.kinds.projectRestored, { project: name }))).toBeVisible();
      await page.goto("/projects");
      await expect(page.getByRole("listitem").filter({ hasText: name })).toBeVisible();
      expect(consoleErrors).toEqual([]);
    });

    test("a copy of the data has what the database has", async ({ page, nido, browser }) => {
      const { email, name } = await withSite(page, nido, lang);
      const db = connect(nido.databaseUrl);
      const { rows } = await db.execute<{ id: string }>(sql`select id from users where email = ${email}`);
      const userId = rows[0]?.id ?? "";
      const cli = cliOf(new URL(nido.origin).host, await giveToken({ db }, userId), new URL(nido.origin).host);
      await cli.publish(name, { "index.html": "<title>Copia</title>", "a/b.css": "b { color: teal }" });

      await open(page, t, "data");
      await page.screenshot({ path: `../test-results/screens/data-${lang}.png`, fullPage: true });
      await page.getByRole("button", { name: t.data.request }).click();
      const link = page.getByRole("button", { name: /\(.*B\)/ });
      await expect(link).toBeVisible({ timeout: 60_000 });
      const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
      const files = unzipSync(Buffer.concat(chunks));
      const text = (path: string) => Buffer.from(files[path] ?? []).toString();
      const site = unzipSync(files[`sites/${name}.zip`] ?? new Uint8Array());
      expect(Object.keys(site).sort()).toEqual(["a/b.css", "index.html"]);
      expect(Buffer.from(site["index.html"] ?? []).toString()).toBe("<title>Copia</title>");
      expect(Buffer.from(site["a/b.css"] ?? []).toString()).toBe("b { color: teal }");
      expect(JSON.parse(text("account.json"))).toMatchObject({ email, lang });
      const state = await (await page.request.get("/redux")).json();
      // A picture of the site may have been taken since.
      const withoutPicture = ({ picture: _, ...project }: { picture?: string }) => project;
      expect(JSON.parse(text("projects.json")).active.map(withoutPicture)).toEqual(
        Object.values<{ picture?: string }>(state.projects).map(withoutPicture),
      );
      const { rows: subscriptions } = await db.execute<{ id: string }>(
        sql`select id from subscriptions where user_id = ${userId}`,
      );
      expect(JSON.parse(text("subscriptions.json")).map(({ id }: { id: string }) => ({ id }))).toEqual(subscriptions);
      expect(JSON.parse(text("invoices.json"))).toHaveLength(1);
      const { rows: activity } = await db.execute<{ kind: string }>(
        sql`select kind from activity where user_id = ${userId} order by id desc`,
      );
      expect(JSON.parse(text("activity.json")).map(({ kind }: { kind: string }) => ({ kind }))).toEqual(activity);
      await waitForMail(nido, email, lang === "es" ? /copia de tus datos está lista/ : /copy of your data is ready/);
      await db.$client.end();

      const stranger = await anotherBrowser(browser, nido);
      await signInWithGoogle(stranger.page, uniqueEmail(), "/");
      expect((await stranger.page.request.get(new URL(download.url()).pathname)).status()).toBe(404);
      await stranger.context.close();
    });

    test("an account is closed, and reopened with its site", async ({ page, nido, browser }) => {
      const { email, name } = await withSite(page, nido, lang);
      await open(page, t, "data");
      await page.getByRole("button", { name: t.data.closeStart }).click();
      const confirm = page.getByRole("button", { name: t.data.closeDo, exact: true });
      await page.getByLabel(say(t.data.closeConfirm, { email })).fill("otra@example.com");
      await expect(confirm).toBeDisabled();
      await page.getByLabel(say(t.data.closeConfirm, { email })).fill(email);
      await page.screenshot({ path: `../test-results/screens/close-${lang}.png`, fullPage: true });
      await confirm.click();
      await expect(page.getByRole("heading", { name: t.data.closedTitle })).toBeVisible();
      await page.screenshot({ path: `../test-results/screens/closed-${lang}.png`, fullPage: true });
      const message = await waitForMail(nido, email, lang === "es" ? /está cerrada/ : /is closed/);
      expect(message.text).toContain(name);
      const visit = () =>
        page.request.get(`${nido.origin}/`, { headers: { host: `${name}.${new URL(nido.origin).host}` } });
      expect((await visit()).status()).toBe(404);

      const phone = await anotherBrowser(browser, nido);
      await gainSession(phone.page, email, lang);
      await phone.page.goto(`/projects?lang=${lang}`);
      await expect(phone.page.getByRole("heading", { name: t.data.closedTitle })).toBeVisible();
      await phone.page.getByRole("button", { name: t.data.reopen }).click();
      await expect(phone.page.getByRole("listitem").filter({ hasText: name })).toBeVisible();
      await waitForMail(nido, email, lang === "es" ? /vuelve a estar abierta/ : /is open again/);
      await phone.context.close();
    });
  });
}
