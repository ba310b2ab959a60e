import { openSeed } from "@nido/test-kit/seed";
import type { BrowserContext, Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import { codeIn, linkIn, waitForMail } from "./mailbox.ts";
import { anotherBrowser, expect, inLanguage, type Nido, test, uniqueEmail } from "./nido.ts";
import { accountEn, accountEs, en, errorsEn, errorsEs, es, wizardEn, wizardEs } from "./texts.ts";

const languages = {
  es: { ...es, ...accountEs, ...wizardEs, errors: errorsEs },
  en: { ...en, ...accountEn, ...wizardEn, errors: errorsEn },
};
const password = "Segura1234";

/** Signs up with a new address; the page is in the language of `t`. */
async function signUp(page: Page, nido: Nido, t: (typeof languages)["es" | "en"], path = "/signup") {
  const email = uniqueEmail();
  await page.goto(path);
  await page.getByLabel(t.login.email, { exact: true }).fill(email);
  await page.getByLabel(t.login.password, { exact: true }).fill(password);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: t.signUp.submit }).click();
  await expect(page.getByRole("heading", { name: t.signUp.codeTitle })).toBeVisible();
  const message = await waitForMail(nido, email, /\d{6}/);
  return { email, message };
}

async function signedUp(page: Page, nido: Nido, t: (typeof languages)["es" | "en"], lang: string) {
  const { email, message } = await signUp(page, nido, t, `/signup?lang=${lang}`);
  await page.getByLabel(t.signUp.code).fill(codeIn(message));
  await page.getByRole("button", { name: t.signUp.confirm }).click();
  await expect(page.getByRole("navigation", { name: t.nav.label })).toBeVisible();
  return email;
}

async function signInByPassword(page: Page, t: (typeof languages)["es" | "en"], email: string, secret = password) {
  await page.goto("/login");
  await page.getByLabel(t.login.email, { exact: true }).fill(email);
  await page.getByLabel(t.login.password, { exact: true }).fill(secret);
  await page.getByRole("button", { name: t.login.submit, exact: true }).click();
}

for (const [lang, t] of Object.entries(languages)) {
  test.describe(lang, inLanguage(lang), () => {
    test("a visitor in the middle of a purchase signs up, and pays for what they chose", async ({
      page,
      nido,
      consoleErrors,
    }) => {
      const name = `site${Math.random().toString(36).slice(2, 10)}`;
      const offers = await (await fetch(`${nido.origin}/billing/products?recipe_category=static`)).json();
      await page.goto(`/newproject/static/1?plan=${offers.year[0].plan.id}&category=static&lang=${lang}`);
      await page.getByLabel(t.newProject.nameLabel).fill(name);
      await page.getByRole("button", { name: t.common.continue, exact: true }).click();
      await page.getByRole("link", { name: lang === "es" ? "Crea una" : "Create one" }).click();
      const submit = page.getByRole("button", { name: t.signUp.submit });
      const submitBox = await submit.boundingBox();
      await submit.click();
      await expect(page.getByText(t.login.enter_email)).toBeVisible();
      await expect(page.getByText(t.signUp.acceptNeeded)).toBeVisible();
      expect(await submit.boundingBox(), "errors move nothing").toEqual(submitBox);
      const email = uniqueEmail();
      await page.getByLabel(t.login.email, { exact: true }).fill(email);
      await page.getByLabel(t.login.password, { exact: true }).fill(password);
      await page.getByRole("checkbox").check();
      await submit.click();
      const message = await waitForMail(nido, email, /\d{6}/);
      const confirm = page.getByRole("button", { name: t.signUp.confirm });
      const confirmBox = await confirm.boundingBox();
      await page.getByLabel(t.signUp.code).fill("000000");
      await confirm.click();
      await expect(page.getByRole("alert")).toHaveText(t.errors.error_verification_wrong);
      expect(await confirm.boundingBox(), "errors move nothing").toEqual(confirmBox);
      await page.getByLabel(t.signUp.code).fill(codeIn(message));
      await page.getByRole("button", { name: t.signUp.confirm }).click();
      await page.waitForURL(`${nido.sandbox}/stripe/pay/**`);
      await page.locator("button.main").click();
      await expect(page.getByRole("heading", { name: t.newProject.staticSuccessTitle })).toBeVisible();
      await page.goto("/projects");
      await expect(page.getByRole("listitem").filter({ hasText: name })).toBeVisible();
      expect(consoleErrors.filter((error) => !error.includes("400"))).toEqual([]);
    });

    test("the link of a sign-up in another browser asks for the password", async ({ page, nido, browser }) => {
      const { message } = await signUp(page, nido, t, `/signup?lang=${lang}`);
      const phone = await anotherBrowser(browser, nido);
      await phone.page.goto(`${linkIn(message)}&lang=${lang}`);
      await phone.page.getByLabel(t.login.password).fill(password);
      await phone.page.getByRole("button", { name: t.signUp.confirm }).click();
      await expect(phone.page.getByRole("navigation", { name: t.nav.label })).toBeVisible();
      await phone.context.close();
    });

    test("a forgotten password is replaced by the link, which works once", async ({ page, nido, browser }) => {
      const email = await signedUp(page, nido, t, lang);
      const other = await anotherBrowser(browser, nido);
      await other.page.goto(`/login?lang=${lang}`);
      await other.page.getByRole("link", { name: t.reset.forgot }).click();
      await expect(other.page.getByRole("heading", { name: t.reset.title })).toBeVisible();
      await other.page.getByLabel(t.login.email).fill(email);
      await other.page.getByRole("button", { name: t.reset.submit }).click();
      await expect(other.page.getByRole("heading", { name: t.reset.sentTitle })).toBeVisible();
      const link = linkIn(await waitForMail(nido, email, lang === "es" ? /Elige una contraseña/ : /Choose a new/));
      await other.page.goto(link);
      await other.page.getByLabel(t.settings.newPassword).fill("Fresca1234");
      await other.page.getByRole("button", { name: t.reset.save }).click();
      await expect(other.page.getByRole("heading", { name: t.reset.doneTitle })).toBeVisible();
      // The first browser is signed out.
      await expect(page.getByRole("heading", { name: t.login.title })).toBeVisible();
      await signInByPassword(page, t, email, "Fresca1234");
      await expect(page.getByRole("navigation", { name: t.nav.label })).toBeVisible();
      await waitForMail(nido, email, lang === "es" ? /Se ha cambiado tu contraseña/ : /password was changed/);
      await other.page.goto(link);
      await expect(other.page.getByRole("alert")).toHaveText(t.errors.error_link_invalid);
      await other.context.close();
    });

    test("a passkey is added, signs in without a password, and is removed", async ({ page, nido, context }) => {
      await addAuthenticator(context, page);
      await signedUp(page, nido, t, lang);
      await page.goto("/settings?tab=security");
      await page.getByRole("button", { name: t.security.passkeyAdd }).click();
      await page.getByLabel(t.security.passkeyName).fill("Portátil");
      await page.getByRole("button", { name: t.common.continue }).click();
      const remove = page.getByRole("button", { name: `${t.security.remove} Portátil` });
      await expect(remove).toBeVisible();
      await signOut(page);
      await page.goto("/settings?tab=security");
      await page.getByRole("button", { name: t.proof.signIn }).click();
      await expect(remove).toBeVisible();
      await expect(page).toHaveURL("/settings?tab=security");
      await remove.click();
      await expect(remove).toBeHidden();
    });

    test("two-step verification with an app, and in with a recovery code", async ({ page, nido }) => {
      const email = await signedUp(page, nido, t, lang);
      await page.goto("/settings?tab=security");
      await page.getByRole("button", { name: t.security.twoStepSetUp }).click();
      await expect(page.getByRole("img", { name: t.security.totpQr })).toBeVisible();
      const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      await page.getByLabel(t.security.totpCode).fill(code);
      await page.getByRole("button", { name: t.security.activate, exact: true }).click();
      await expect(page.getByRole("heading", { name: t.security.recoveryTitle })).toBeVisible();
      const codes = await page.getByRole("dialog").getByRole("listitem").allTextContents();
      expect(codes).toHaveLength(10);
      await page.getByRole("button", { name: t.security.recoveryDone }).click();
      await signOut(page);
      await signInByPassword(page, t, email);
      await expect(page.getByRole("heading", { name: t.proof.secondTitle })).toBeVisible();
      await page.getByRole("button", { name: t.proof.useRecovery }).click();
      await page.getByLabel(t.proof.recovery).fill(codes[0] ?? "");
      await page.getByRole("button", { name: t.proof.confirm, exact: true }).click();
      await expect(page.getByRole("navigation", { name: t.nav.label })).toBeVisible();
      await page.goto("/settings?tab=security");
      await expect(page.getByText(t.security.recoveryLeft_other.replace("{{count}}", "9"))).toBeVisible();
      await waitForMail(nido, email, lang === "es" ? /forma de entrar/ : /way you sign in/);
    });

    test("a proof that was cancelled is asked for again, and a wrong one is refused", async ({ page, nido }) => {
      const email = await signedUp(page, nido, t, lang);
      const seed = await openSeed(nido.databaseUrl, email);
      await seed.forgetProof();
      await page.goto("/settings?tab=security");
      const setUp = page.getByRole("button", { name: t.security.twoStepSetUp });
      const proof = page.getByRole("dialog", { name: t.proof.title });
      for (let round = 0; round < 2; round++) {
        await setUp.click();
        await expect(proof).toBeVisible();
        await page.keyboard.press("Escape");
        await expect(proof).toBeHidden();
        await expect(page.getByRole("alert")).toHaveText(t.errors.error_proof_needed);
      }
      await setUp.click();
      await proof.getByLabel(t.proof.password).fill("wrong password");
      await proof.getByRole("button", { name: t.proof.confirm, exact: true }).click();
      await expect(proof.getByText(t.errors.error_password_current_wrong)).toBeVisible();
      await proof.getByLabel(t.proof.password).fill(password);
      await proof.getByRole("button", { name: t.proof.confirm, exact: true }).click();
      await expect(page.getByRole("img", { name: t.security.totpQr })).toBeVisible();
      await seed.close();
    });

    test("a session is ended from another browser, whose page notices within five seconds", async ({
      page,
      nido,
      browser,
    }) => {
      const email = await signedUp(page, nido, t, lang);
      const other = await anotherBrowser(browser, nido);
      await other.page.goto(`/login?lang=${lang}`);
      await signInByPassword(other.page, t, email);
      await expect(other.page.getByRole("navigation", { name: t.nav.label })).toBeVisible();
      await waitForMail(nido, email, lang === "es" ? /Nuevo inicio de sesión/ : /New sign-in/);
      await page.goto("/settings?tab=security");
      await page.getByRole("button", { name: new RegExp(`^${t.security.end}.*Linux`) }).click();
      await expect(other.page.getByRole("heading", { name: t.login.title })).toBeVisible();
      await expect(page.getByText(t.security.noOthers)).toBeVisible();
      await other.context.close();
    });

    test("the e-mail address changes after a proof, and the old one takes it back", async ({ page, nido, browser }) => {
      const email = await signedUp(page, nido, t, lang);
      const seed = await openSeed(nido.databaseUrl, email);
      await seed.forgetProof();
      await seed.close();
      await page.goto("/settings");
      await page.getByRole("button", { name: `${t.common.change} ${t.settings.email}` }).click();
      const changed = uniqueEmail();
      await page.getByLabel(t.security.emailNew).fill(changed);
      await page.getByRole("button", { name: t.common.continue }).click();
      await expect(page.getByRole("heading", { name: t.proof.title })).toBeVisible();
      await page.getByLabel(t.proof.password, { exact: true }).fill(password);
      await page.getByRole("button", { name: t.proof.confirm, exact: true }).click();
      const message = await waitForMail(nido, changed, /\d{6}/);
      await page.getByLabel(t.signUp.code).fill(codeIn(message));
      await page.getByRole("button", { name: t.signUp.confirm }).click();
      await expect(page.getByRole("main").getByText(changed)).toBeVisible();

      const owner = await anotherBrowser(browser, nido);
      const announced = await waitForMail(
        nido,
        email,
        lang === "es" ? /Se ha cambiado el correo/ : /address of your .* was changed/,
      );
      await owner.page.goto(`${linkIn(announced)}&lang=${lang}`);
      await owner.page.getByRole("button", { name: t.mailLinks.undo }).click();
      await expect(owner.page.getByText(t.mailLinks.undone)).toBeVisible();
      await expect(page.getByRole("heading", { name: t.login.title })).toBeVisible();
      const reset = await waitForMail(nido, email, lang === "es" ? /Elige una contraseña/ : /Choose a new/);
      await owner.page.goto(linkIn(reset));
      await owner.page.getByLabel(t.settings.newPassword).fill("Fresca1234");
      await owner.page.getByRole("button", { name: t.reset.save }).click();
      await owner.page.getByRole("link", { name: t.reset.toLogin }).click();
      await signInByPassword(owner.page, t, email, "Fresca1234");
      await expect(owner.page.getByRole("navigation", { name: t.nav.label })).toBeVisible();
      await owner.page.goto("/settings");
      await expect(owner.page.getByRole("main").getByText(email)).toBeVisible();
      await owner.context.close();
    });

    test("a kind of mail is turned off by its link, and on again in the settings", async ({ page, nido }) => {
      const email = await signedUp(page, nido, t, lang);
      const welcome = await waitForMail(nido, email, lang === "es" ? /bienvenida/ : /Welcome/);
      const address = /<(.+)>/.exec(welcome.headers["list-unsubscribe"] ?? "")?.[1] ?? "";
      expect(welcome.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
      await page.goto(address);
      await page.getByRole("button", { name: t.mailLinks.unsubscribe }).click();
      await expect(page.getByText(t.mailLinks.unsubscribed)).toBeVisible();
      await page.goto("/settings");
      const tips = page.getByRole("checkbox", { name: t.security.topics.tips });
      await expect(tips).not.toBeChecked();
      await tips.click();
      await expect(tips).toBeChecked();
      await page.reload();
      await expect(tips).toBeChecked();
    });
  });
}

async function signOut(page: Page) {
  await page.request.get("/logout");
}

/** A device with a fingerprint reader, as far as the browser can tell. */
async function addAuthenticator(context: BrowserContext, page: Page) {
  const client = await context.newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
