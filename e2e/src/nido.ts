/// <reference lib="dom" />
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePort } from "@nido/test-kit/freePort";
import { openSeed } from "@nido/test-kit/seed";
import { startProgram } from "@nido/test-kit/startProgram";
import { type Browser, type BrowserContext, test as base, expect, type Page } from "@playwright/test";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

/** The product as `npm start` runs it, with its own ports and data folder. */
export class Nido {
  readonly origin: string;
  /** origin of the payment stand-in */
  readonly sandbox: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  private readonly env: Record<string, string>;
  private program: ReturnType<typeof startProgram> | undefined;

  constructor(port: number, sandboxPort: number, folder: string, env: Record<string, string> = {}) {
    this.origin = env["HTTPS_PORT"] ? `https://localhost:${env["HTTPS_PORT"]}` : `http://localhost:${port}`;
    this.sandbox = `http://127.0.0.1:${sandboxPort}`;
    this.dataDir = join(folder, "data");
    this.databaseUrl = `postgres://nido@/nido?host=${encodeURIComponent(join(this.dataDir, "run"))}`;
    this.env = { PORT: String(port), SANDBOX_PORT: String(sandboxPort), DATA_DIR: this.dataDir, ...env };
  }

  async start() {
    const env = { ...process.env, ...this.env };
    this.program = startProgram(process.execPath, ["scripts/start.ts"], { cwd: root, env });
    this.program.child.stderr.pipe(process.stderr);
    await this.program.waitForOutput(/Ctrl-C stops it\./);
  }

  /** Runs an operator's command, such as `coupons`, and returns what it prints. */
  async operate(command: string, ...args: string[]): Promise<string> {
    const env = { ...process.env, ...this.env };
    const { stdout } = await run(process.execPath, [`scripts/${command}.ts`, ...args], { cwd: root, env });
    return stdout;
  }

  async stop(signal: NodeJS.Signals = "SIGTERM") {
    await this.program?.stop(signal);
  }
}

/** Signs a customer in with the Google stand-in, and opens a page. */
export async function signInWithGoogle(page: Page, email: string, path = "/") {
  await gainSession(page, email);
  await page.goto(path);
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

/** Signs in by requests alone; the screens have their own tests in signIn.test.ts. */
export async function gainSession(page: Page, email: string, lang = "es") {
  const question = await page.request.get(`/auth/google?lang=${lang}`);
  const form = { email, given_name: "Lucía", family_name: "Marín", verified: "on" };
  await expect(await page.request.post(question.url(), { form })).toBeOK();
}

/** A field of the open dialog. */
export function field(page: Page, label: string) {
  return page.getByRole("dialog").getByLabel(label, { exact: true });
}

export function uniqueEmail(): string {
  return `${crypto.randomUUID().slice(0, 8)}@example.com`;
}

/** Another browser, which shares no cookies with the test's own. */
export async function anotherBrowser(browser: Browser, nido: Nido): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: nido.origin, locale: "es-ES" });
  return { context, page: await context.newPage() };
}

/** Tests that take long, and journeys in their second language, are left to `npm run test:long`. */
export const long = { tag: "@long" };
export const inLanguage = (lang: string) => (lang === "es" ? {} : long);

type Seed = Awaited<ReturnType<typeof openSeed>>;

interface Fixtures {
  consoleErrors: string[];
  /** a customer who is signed in on `page`, and functions that add to their account */
  customer: Seed;
}

export const test = base.extend<Fixtures, { nido: Nido }>({
  nido: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's dependencies from this pattern.
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "nido-e2e-"));
      chmodSync(folder, 0o711);
      const env = { SFTP_PORT: String(await freePort()), PAYMENT_METHODS: "card,sepa_debit" };
      const nido = new Nido(await freePort(), await freePort(), folder, env);
      await nido.start();
      await use(nido);
      await nido.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 900_000 },
  ],
  baseURL: ({ nido }, use) => use(nido.origin),
  customer: async ({ page, nido }, use) => {
    const email = uniqueEmail();
    await gainSession(page, email);
    const seed = await openSeed(nido.databaseUrl, email);
    await use(seed);
    await seed.close();
  },
  /** Errors in the page's console. A 401 is expected and left out: `GET /redux` answers 401 to visitors. */
  consoleErrors: async ({ page }, use) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      const isPrescribed = /status of 401/.test(message.text());
      if (message.type() === "error" && !isPrescribed) errors.push(message.text());
    });
    await use(errors);
  },
});
export { expect };
