import type {
  InvoicePage,
  MoveIn,
  PlanOffers,
  PlanPage,
  PlanQuote,
  QueryResult,
  Recipe,
  SiteAccess,
  SiteBackups,
  SiteCare,
  SiteMail,
  SiteRules,
  SiteUpdates,
} from "@nido/contract";
import { cliOf } from "@nido/test-kit/publish";
import { openSeed } from "@nido/test-kit/seed";
import type { Page } from "@playwright/test";
import axe from "axe-core";
import { es } from "../../apps/dashboard/src/i18n/es.ts";
import { expect, test, uniqueEmail } from "./nido.ts";

// Each screen is loaded once. Language, theme and width then change in place, as for a customer.
const everyLook = ["es", "en"].flatMap((lang) =>
  ["light", "dark"].flatMap((theme) => [1280, 390, 320, 1920].map((width) => ({ lang, theme, width }))),
);
const isLong = process.env["NIDO_TEST_LOOKS"] === "all";
const looks: Look[] = isLong
  ? everyLook
  : [
      { lang: "es", theme: "light", width: 1280 },
      { lang: "en", theme: "dark", width: 390 },
    ];
interface Look {
  lang: string;
  theme: string;
  width: number;
}

test.beforeEach(() => {
  if (isLong) test.setTimeout(3_600_000);
});

test("signed out", async ({ page, consoleErrors }) => {
  for (const path of [
    "/login",
    "/signup",
    `/signup?token=${"x".repeat(43)}`,
    "/reset",
    `/reset?token=${"x".repeat(43)}`,
    "/confirm-email",
    "/undo-email",
    "/unsubscribe",
    "/newproject/purchase",
    "/clilogin",
    "/newproject/wp/1",
    "/newproject/wp/2",
  ]) {
    await inspect(page, path);
  }
  await page.goto("/login");
  await page.getByRole("button", { name: /^(Entrar|Sign in)$/ }).click();
  await inspectHere(page, "login-faults");
  await page.goto("/signup");
  await page.getByRole("button", { name: /Crear cuenta|Create account/ }).click();
  await inspectHere(page, "signup-faults");
  await page.getByLabel(/Correo|E-mail/).fill(uniqueEmail());
  await page.getByLabel(/Contraseña|Password/).fill("Segura1234");
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: /Crear cuenta|Create account/ }).click();
  await expect(page.getByRole("textbox")).toHaveCount(1);
  await inspectHere(page, "signup-code");
  // The links are not valid, which the server says with 410.
  expect(consoleErrors.filter((error) => !error.includes("410"))).toEqual([]);
});

test("documentation", async ({ page, consoleErrors }) => {
  for (const name of ["start", "publishing", "rules", "ci", "wordpress"])
    for (const look of looks) {
      await page.goto(`/docs/${look.lang}/${name}`);
      await expect(page.getByRole("searchbox")).toBeVisible();
      await wear(page, look);
      await expectQuality(page, `docs-${name}`, look);
    }
  await page.getByRole("searchbox").fill("splat");
  await inspectFound(page);
  await page.getByRole("searchbox").fill("zzzz");
  await inspectFound(page);
  expect(consoleErrors).toEqual([]);

  async function inspectFound(where: Page) {
    await expect(where.getByRole("status").first()).toBeVisible();
    for (const look of looks) {
      await where.setViewportSize({ width: look.width, height: 900 });
      expect(await accessibilityFaults(where, true)).toEqual([]);
    }
  }
});

const plugins = {
  plugins: [
    { id: "shop.php", name: "Corner shop", version: "1.2", is_active: true, is_automatic: true, can_activate: true },
    { id: "news.php", name: "Newsletter", version: "3.0.1", is_active: true, is_automatic: false, can_activate: true },
    { id: "old.php", name: "Old gallery", version: "0.9", is_active: false, is_automatic: false, can_activate: true },
    { id: "hello.php", name: "Hello", version: "1", is_active: false, is_automatic: false, can_activate: false },
  ],
  fatal: {
    at: 1_794_000_000,
    cause: "plugin",
    name: "shop",
    message: "Allowed memory size of 134217728 bytes exhausted",
  },
};

const changes = {
  counts: { posts: 3, media: 12, comments: -1 },
  edited: 2,
  installed: ["Newsletter for everybody who likes to read about corner shops"],
  updated: ["Corner shop"],
  removed: [],
};

const backups: SiteBackups = {
  kept: { nightly: 14, manual: 10 },
  backups: (["manual", "restore", "nightly"] as const).map((reason, index) => ({
    name: `2026-11-1${index}T02-00-00-000Z.tar.gz`,
    reason,
    note: reason === "manual" ? "Before the new shop, with all of last year's orders and photos" : "",
    size: 123_456_789,
    core: "6.8.3",
    ...(index === 0 && { changes }),
    created_at: `2026-11-1${index}T02:00:00.000Z`,
  })),
};

const users = {
  users: [
    { id: 1, login: "ana", email: "ana@example.com", role: "Administrador" },
    { id: 2, login: "redaccion-de-la-tienda-de-la-esquina", email: "redaccion@example.com", role: "Editor, Autor" },
  ],
};

const updates: SiteUpdates = {
  version: "6.8.3",
  newest: "6.9.1",
  php: "8.4.11",
  php_versions: ["8.3", "8.4"],
  wants_majors: false,
  checked_pages: ["/tienda/"],
  items: (["shop", "newsletter-with-a-long-name"] as const).map((id, index) => ({
    kind: "plugin",
    id,
    name: index === 0 ? "Corner shop" : "Newsletter for everybody who likes to read about corner shops",
    version: "1.2",
    new_version: "1.3",
    notice: index === 0 ? "This release closes a security hole. Please update as soon as you can." : "",
    is_automatic: index === 1,
  })),
};

const mail: SiteMail = {
  used: 12,
  allowed: 1000,
  is_suspended: true,
  messages: (["sent", "waiting", "refused", "held"] as const).map((status, id) => ({
    id,
    status,
    at: "2026-11-11T02:00:00.000Z",
    recipients: "a.customer.with.a.long.address@mail.example.com, another@example.com",
    subject: "Your order number 4711 is on its way",
    ...(status === "waiting" && { problem: "quota" }),
    ...(status === "refused" && { problem: "550 5.1.1 no such user here" }),
  })),
};

const rules: SiteRules = {
  redirects: "/blog/* /noticias/:splat 301\n/tienda https://tienda.example.com/ 302",
  files: [{ name: ".well-known/security.txt", content: "Contact: mailto:security@example.com" }],
  uncached: ["/carrito/*"],
};

const care: SiteCare = {
  is_maintained: true,
  debugged_until: 1_795_000_000,
  slow: [{ at: 1_794_900_000, seconds: 4.2, path: "GET /shop/a-rather-long-category-name/", queries: 212 }],
  is_listed: false,
  errors: [
    {
      at: 1_794_000_000,
      count: 12,
      message: "PHP Warning:  Undefined array key 1 in plugins/shop/very-long-file-name.php on line 7",
    },
  ],
  cron: [{ at: 1_794_000_000, hook: "wp_privacy_delete_old_export_files_of_a_long_name", every: 3600 }],
};

const moveIn: MoveIn = {
  upload: {
    name: "backup-of-the-old-site-with-a-long-name-2026-11-18.tar.gz",
    size: 1_234_567_890,
    received: 1_234_567_890,
    modified: 1_794_000_000_000,
    report: {
      files: 12_345,
      bytes: 2_345_678_901,
      url: "https://www.a-long-name-of-a-corner-shop.example",
      tables: 42,
      wordpress: "6.8.1",
      plugins: ["woocommerce", "wp-super-cache", "contact-form-7", "a-plugin-with-a-very-long-name-indeed"],
      themes: ["twentytwentyfive"],
      needless: ["wp-super-cache"],
      left: ["object-cache.php", "cache"],
    },
  },
};

const access: SiteAccess = {
  sftp: {
    host: "nido.example.com",
    port: 2222,
    fingerprint: "SHA256:Q2F0Y2ggbWUgaWYgeW91IGNhbiwgb3IgcmVhZCBtZQ",
  },
  user: "cornershop",
  password_until: "2026-11-19T12:00:00.000Z",
  keys: [
    {
      id: "1",
      name: "The laptop in the office, with the long name",
      fingerprint: "SHA256:Q2F0Y2ggbWUgaWYgeW91IGNhbiwgb3IgcmVhZCBtZQ",
      created_at: "2026-11-01T12:00:00.000Z",
    },
  ],
};

const rows: QueryResult = {
  columns: ["ID", "post_title", "post_content"],
  rows: [
    ["1", "A title that is a good deal longer than the others", null],
    ["2", "Hello", "<!-- wp:paragraph --><p>Welcome to WordPress.</p><!-- /wp:paragraph -->"],
  ],
  has_more: true,
};

const printed = [
  { out: "name\tstatus\tupdate\tversion\nakismet\tinactive\tnone\t5.5\n" },
  { err: "Warning: something is not as it should be.\n" },
  { exit: 1 },
]
  .map((event) => `${JSON.stringify(event)}\n`)
  .join("");

test("projects and domains", async ({ page, customer, nido, consoleErrors }) => {
  await inspect(page, "/projects");
  const wordpress = await customer.addProject(`q${Date.now()}`, { recipe: "wordpress_pro" });
  const suspended = await customer.addProject(`s${Date.now()}`, { recipe: "static_starter", status: "suspended" });
  const name = `p${Date.now()}`;
  const published = await customer.addProject(name, { recipe: "static_starter" });
  const cli = cliOf(new URL(nido.origin).host, await customer.giveToken(), new URL(nido.origin).host);
  await cli.publish(name, { "index.html": "<h1>1</h1>" });
  await cli.publish(name, { "index.html": "<h1>2</h1>" }, { message: "New prices for the season" });
  await cli.publish(name, { "index.html": "<h1>3</h1>" }, { branch: "new-look" });
  await page.route("**/users", (route) => route.fulfill({ json: users }));
  await page.route("**/plugins", (route) => route.fulfill({ json: plugins }));
  await page.route("**/backups", (route) => route.fulfill({ json: backups }));
  await page.route("**/updates", (route) => route.fulfill({ json: updates }));
  await page.route("**/move-in", (route) => route.fulfill({ json: moveIn }));
  await page.route("**/access", (route) => route.fulfill({ json: access }));
  await page.route("**/database", (route) => route.fulfill({ json: { tables: [{ name: "wp_posts", rows: 4 }] } }));
  await page.route("**/database/rows?*", (route) => route.fulfill({ json: rows }));
  await page.route("**/cli", (route) => route.fulfill({ body: printed, contentType: "application/x-ndjson" }));
  await page.route("**/rules", (route) => route.fulfill({ json: rules }));
  await page.route("**/care", (route) => route.fulfill({ json: care }));
  await page.route("**/mail", (route) => route.fulfill({ json: mail }));
  await customer.addStaging(wordpress);
  const paths = [
    "/projects",
    `/projects/${wordpress}`,
    `/projects/${wordpress}?tab=wordpress`,
    `/projects/${wordpress}?tab=tools`,
    `/projects/${suspended}`,
    `/projects/${published}`,
    "/projects/nothing",
  ];
  for (const path of paths) {
    await inspect(
      page,
      path,
      path.replace(wordpress, "wordpress").replace(suspended, "suspended").replace(published, "static"),
    );
  }
  await page.goto(`/projects/${wordpress}?tab=wordpress`);
  await page
    .getByRole("button", { name: /^(Restaurar|Restore) / })
    .first()
    .click();
  await inspectHere(page, "restore-dialog");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^(Publicar la copia|Publish the copy)$/ }).click();
  await inspectHere(page, "push-dialog");
  await page.goto(`/projects/${wordpress}?tab=tools`);
  await page.getByRole("textbox", { name: /WP-CLI/ }).fill("plugin list");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^(Abrir la base de datos|Open the database)$/ }).click();
  await page.getByRole("combobox").selectOption("wp_posts");
  await expect(page.getByRole("cell", { name: "NULL" })).toBeVisible();
  await inspectHere(page, "tools-in-use");
  const configuration = `/projects/${wordpress}?tab=configuration`;
  await page.goto(configuration);
  await page.locator('main a[href^="/newdomain"]').click();
  await inspectHere(page, "newdomain");
  await page.getByRole("textbox").fill("nonsense");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toBeVisible();
  await inspectHere(page, "newdomain-refused");
  await page.getByRole("textbox").fill(`${Date.now()}.example.com`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(configuration);
  await inspectHere(page, "configuration");
  const host = `${Date.now()}.com`;
  await customer.addDomain(wordpress, `www.${host}`, { status: "verified", isPrimary: true });
  await customer.addDomain(wordpress, `blog.${host}`, { status: "verified" });
  await customer.addDomain(wordpress, host, {
    status: "failing",
    reason: "error_domain_not_configured",
    seen: [{ type: "A", name: host, value: "198.51.100.1" }],
    checkedAt: new Date("2026-11-15T12:00:00Z"),
  });
  await expect(page.getByRole("main").getByText(`_nido.${host}`)).toBeVisible();
  await inspectHere(page, "configuration-domains");
  await page.locator('main a[href^="/deletedomain"]:visible').first().click();
  await inspectHere(page, "deletedomain");
  await page.goto(configuration);
  await page.locator('main a[href^="/deleteproject"]').click();
  await inspectHere(page, "deleteproject");
  for (const path of ["/newdomain", "/deletedomain", "/deleteproject"]) await inspect(page, path, `${path}-direct`);
  // The dashboard logs refused actions, so this error is expected.
  expect(consoleErrors).toEqual(["NEW_DOMAIN: error_domain_invalid"]);
});

test("plans", async ({ page, customer, consoleErrors }) => {
  const offer = (recipe: Recipe, interval: "month" | "year", amount: number) => ({
    plan: { id: `${recipe} ${interval}`, amount, currency: "eur", interval },
    product: { id: recipe, name: recipe, features: [], metadata: { recipe, recipe_category: "wordpress" as const } },
  });
  const plans = {
    current: "wordpress_pro year",
    offers: [
      offer("wordpress_starter", "year", 5900),
      offer("wordpress_pro", "year", 11_900),
      offer("wordpress_business", "year", 23_900),
    ],
    use: { disk: 16.2e9, memory: 96, php_seconds: 4210, visits: 48_211 },
    next: { at: "2027-05-12T10:00:00Z", total: 14_399, vat: 2499, due: 12_899 },
    undo: "wordpress_business year",
    unpaid: { plan: "wordpress_business year", url: "http://localhost:1/invoice" },
    has_staging: true,
  } satisfies PlanPage;
  const quote = {
    plan: "wordpress_business year",
    at: 1,
    currency: "eur",
    credited: 5950,
    charged: 11_950,
    vat: 1260,
    total: 7260,
    due: 5760,
    balance: 0,
    next: { at: "2027-05-12T10:00:00Z", total: 28_919, vat: 5019, due: 28_919 },
  } satisfies PlanQuote;
  await page.route("**/billing/plan/*", (route) =>
    route.fulfill({
      json: route.request().method() === "GET" ? plans : { state: "unpaid", url: "http://localhost:1/" },
    }),
  );
  await page.route("**/billing/plan/*/quote", (route) => route.fulfill({ json: quote }));
  const id = await customer.addProject(`pl${Date.now()}`, { recipe: "wordpress_pro" });
  await inspect(page, `/projects/${id}?tab=plan`, "/project-plan");
  await page.goto(`/projects/${id}?tab=plan`);
  await page.getByRole("button", { name: /^(Elegir|Choose) wordpress_business/ }).click();
  await expect(page.getByRole("dialog")).toContainText("57,60");
  await inspectHere(page, "plan-quote");
  await page.getByRole("button", { name: /57[.,]60/ }).click();
  await expect(page.getByRole("dialog").getByRole("link")).toBeVisible();
  await inspectHere(page, "plan-unpaid");
  expect(consoleErrors).toEqual([]);
});

test("payments that wait, trials and disputes", async ({ page, customer, consoleErrors }) => {
  const payload = { user_address: "", user_city: "", user_state: "", user_zipcode: "", user_country: "ES" };
  await page.goto("/projects");
  const { origin } = new URL(page.url());
  await page.request.post("/redux", { data: { type: "UPDATE_USER_ADDRESS", payload }, headers: { origin } });
  const now = Date.now();
  const disputed = await customer.addProject(`di${now}`, { recipe: "wordpress_pro" });
  await customer.addDispute(disputed);
  await customer.addProject(`co${now}`, { isPastDue: true, paymentStep: "confirm" });
  await customer.addProject(`pr${now}`, { isPastDue: true, paymentStep: "processing" });
  await customer.addProject(`tr${now}`, { recipe: "wordpress_business", isTrial: true });
  await customer.addPendingPurchase(`wa${now}`);
  await inspect(page, "/projects", "/projects-payments");
  await inspect(page, `/projects/${disputed}`, "/project-disputed");
  await inspect(page, "/settings?tab=products", "/products-payments");
  await inspect(page, `/newproject/static/success?domain=wa${now}`, "/static-processing");
  await page.route("**/billing/checkout/*", (route) =>
    route.fulfill({ json: { state: "unpaid", resume: "/newproject" } }),
  );
  await inspect(page, "/newproject/static/success?domain=notpaid", "/static-unpaid");
  await page.route("**/api/settings", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), vat: { seller: "ES" } } });
  });
  await page.route("**/billing/products?*", async (route) => {
    const response = await route.fetch();
    const offers: PlanOffers = await response.json();
    const [first] = offers.year;
    if (first) offers.year = [{ ...first, trial_days: 14 }, ...offers.year.slice(1)];
    await route.fulfill({ response, json: offers });
  });
  await inspect(page, "/newproject", "/plans-trial-vat");
  await inspect(page, "/newproject/error?reason=error_plan_currency", "/error-currency");
  await inspect(page, "/newproject/error?reason=error_promotion_not_for_plan", "/error-code");
  expect(consoleErrors).toEqual([]);
});

test("new projects", async ({ page, customer, nido, consoleErrors }) => {
  const [running, completed, failed] = await Promise.all([
    customer.addTask({ state: "running", progress: [{ progress: 0.4, message: "initializing_wordpress" }] }),
    customer.addTask({ state: "completed", progress: [{ progress: 1, message: "done" }] }),
    customer.addTask({ state: "failed", progress: [] }),
  ]);
  const other = await openSeed(nido.databaseUrl, "demo@nido.example");
  const bought = `st${Date.now()}`;
  await customer.addProject(bought, { recipe: "static_starter" });
  for (const [path, name] of [
    ["/selectcategory"],
    ["/newproject"],
    [`/newproject?category=static&promo=${other.refcode}`, "/plans-promotion"],
    ["/newproject/wp/2?username=lucia&cancelled=1", "/username-cancelled"],
    ["/newproject/static/1"],
    ["/newproject/purchase"],
    [`/newproject/wp/success?taskId=${running}`, "/progress-running"],
    [`/newproject/wp/success?taskId=${completed}`, "/progress-completed"],
    [`/newproject/wp/success?taskId=${failed}`, "/progress-failed"],
    [`/newproject/static/success?domain=${bought}`, "/static-success"],
    ["/newproject/static/success?domain=notyet", "/static-waiting"],
    ["/newproject/error?reason=error_promotion_already_used", "/error-promotion"],
    ["/newproject/error?reason=error_payment_unavailable", "/error-payment"],
    ["/newproject/error"],
    ["/purchase"],
    ["/nothing/here"],
  ] as const) {
    await inspect(page, path, name);
  }
  await other.close();
  expect(consoleErrors).toEqual(["Invalid input"]);
});

test("settings", async ({ page, customer, consoleErrors }) => {
  const states = ["open", "paid", "void", "uncollectible"] as const;
  const invoices = states.map((state, index) => ({
    id: `in_${index}`,
    number: `A1B2C3D4-000${4 - index}`,
    created_at: `2026-0${5 - index}-12T10:00:00Z`,
    total: 10285,
    vat: index === 3 ? 0 : 1785,
    currency: "eur",
    state,
    url: "http://localhost:1/invoice",
    pdf: "http://localhost:1/invoice.pdf",
  }));
  const json = { invoices, next: "in_3", credit: { amount: 1500, currency: "eur" } } satisfies InvoicePage;
  await page.route("**/billing/invoices", (route) => route.fulfill({ json }));
  await customer.addProject(`p${Date.now()}`, { recipe: "wordpress_business", isPastDue: true });
  await customer.addEarning(1234);
  for (const path of [
    "/settings",
    "/settings?tab=security",
    "/settings?tab=products",
    "/settings/referrals",
    "/settings?tab=activity",
    "/settings?tab=data",
    "/settings?tab=support",
    "/clilogin",
    "/clisuccess",
  ]) {
    await inspect(page, path);
  }
  await page.goto("/settings");
  const dialogs = page.locator("main dd button").filter({ hasNotText: /Cerrar sesión|Sign out/ });
  await expect(dialogs).toHaveCount(6);
  for (let index = 0; index < 6; index++) {
    await dialogs.nth(index).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await inspectHere(page, `dialog-${index}`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  await page.goto("/settings?tab=security");
  await page.getByRole("button", { name: /Configurar|Set up/ }).click();
  await inspectHere(page, "dialog-totp");
  await page.keyboard.press("Escape");
  await customer.forgetProof();
  await page.getByRole("button", { name: /Configurar|Set up/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await inspectHere(page, "dialog-proof");
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole("button", { name: /Men/ }).click();
  await expectQuality(page, "menu", { lang: "es", theme: "light", width: 390 });
  // The server asks for a proof with 403.
  expect(consoleErrors.filter((error) => !error.includes("403"))).toEqual([]);
});

test("nothing moves while the main screens load", async ({ page, customer }) => {
  const id = await customer.addProject(`c${Date.now()}`);
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const path of [
    "/projects",
    `/projects/${id}`,
    "/settings",
    "/settings?tab=products",
    "/newproject",
    "/newproject/wp/1",
  ]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts), path).toEqual([]);
  }
});

async function inspect(page: Page, path: string, name = path) {
  await page.goto(path);
  await inspectHere(page, name);
}

async function inspectHere(page: Page, name: string) {
  await expect(page.locator("h1").first()).toBeVisible();
  for (const look of looks) {
    await wear(page, look);
    await expectQuality(page, name, look);
  }
  await wear(page, looks[0] as Look);
}

/** Changes language, theme and width as if the customer had chosen them in another tab. */
async function wear(page: Page, { lang, theme, width }: Look) {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(
    (choices) => {
      for (const [key, newValue] of Object.entries(choices)) {
        localStorage.setItem(key, newValue);
        dispatchEvent(new StorageEvent("storage", { key, newValue }));
      }
    },
    { lang, theme },
  );
  await expect(page.locator("html")).toHaveAttribute("lang", lang);
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
}

/** Expects no accessibility fault, no missing text and no horizontal scrolling, and takes a screenshot. */
async function expectQuality(page: Page, name: string, { lang, theme, width }: Look) {
  await page.evaluate(() => document.fonts.ready);
  const look = `${lang}-${theme}-${width}`;
  const file = `${name.replace(/^\W+/, "").replace(/\W+/g, "-")}-${look}.jpg`;
  await page.screenshot({ path: `../test-results/screens/${file}`, fullPage: true, type: "jpeg", quality: 70 });
  // In the other looks only colours can cause new faults.
  const faults = await accessibilityFaults(page, isLong || look === "es-light-1280");
  expect(faults, `${name} ${look}`).toEqual([]);
  const text = await page.locator("body").textContent();
  expect(text, name).not.toMatch(/undefined|\[object|\{\{(?! )/);
  expect(text, name).not.toMatch(new RegExp(`\\b(${Object.keys(es).join("|")})\\.[a-z]\\w+`));
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${name} ${look}`).toBeLessThanOrEqual(0);
}

async function accessibilityFaults(page: Page, isFull: boolean): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const rules = isFull ? undefined : ["color-contrast", "link-in-text-block"];
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(document, { resultTypes: ["violations"], ...(runOnly && { runOnly }) });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`);
  }, rules);
}
