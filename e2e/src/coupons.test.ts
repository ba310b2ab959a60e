import type { Page } from "@playwright/test";
import { expect, signInWithGoogle, test, uniqueEmail } from "./nido.ts";

const newName = () => `site${Math.random().toString(36).slice(2, 10)}`;

async function nameSite(page: Page) {
  await page.getByLabel(/Nombre del sitio|Site name/).fill(newName());
  await page.getByRole("button", { name: /^(Continuar|Continue)$/ }).click();
}

test("a code that operators made is seen on the plans it counts for, and on the payment page", async ({
  page,
  nido,
}) => {
  const code = `SPRING-${Math.random().toString(36).slice(2, 8)}`.toUpperCase();
  const terms = ["--percent", "25", "--for", "6", "--plans", "static_starter", "--count", "5"];
  expect(await nido.operate("coupons", "create", code, ...terms)).toContain(`${code} can be used now.`);
  await signInWithGoogle(page, uniqueEmail());
  await page.goto(`/newproject?category=wordpress&promo=${code}`);
  await expect(page.getByText("en los pagos de los primeros 6 meses")).toBeVisible();
  await expect(page.getByText("Vale para: Estático.")).toBeVisible();
  await expect(page.getByText("Precio normal:")).toHaveCount(0);
  await page.getByRole("article", { name: "WordPress pro" }).getByRole("button").click();
  await nameSite(page);
  await page.getByLabel("Usuario de WordPress").fill("lucia");
  await page.getByRole("button", { name: "Continuar" }).click();
  await expect(page.getByText("Ese código promocional no vale para este plan.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Comprar sin el código" })).toBeVisible();

  await page.goto(`/newproject?category=static&promo=${code.toLowerCase()}&lang=en`);
  await page.getByText(/^(Mensual|Monthly)$/).click();
  await expect(
    page.getByText(/2,25 € los primeros 6 meses, después 3,00 €|€2\.25 for the first 6 months/),
  ).toBeVisible();
  await page.getByRole("button", { name: /^(Elegir|Choose)/ }).click();
  await nameSite(page);
  await page.getByRole("button", { name: /2[,.]25/ }).click();
  await expect(
    page.getByRole("heading", { name: /Tu sitio estático está listo|Your static site is ready/ }),
  ).toBeVisible();
  expect(await nido.operate("coupons")).toMatch(new RegExp(`^${code} .* 1 of 5 .* active$`, "m"));
  const [columns, row] = (await nido.operate("reports", "--csv", "--months", "1")).split("\r\n");
  expect(columns).toContain("month,currency,mrr");
  expect(row).toMatch(/^\d{4}-\d\d,eur,/);
});

test("a trial: nothing is due today, and the products say when the first payment is", async ({ page, nido }) => {
  await nido.operate("coupons", "trial", "wordpress_business", "14");
  await signInWithGoogle(page, uniqueEmail());
  const card = page.getByRole("article", { name: "WordPress business" });
  // The catalogue is a minute old at most.
  await expect(async () => {
    await page.goto("/newproject?category=wordpress");
    await expect(card).toContainText("14 días de prueba, después 239,00 € al año", { timeout: 10_000 });
  }).toPass();
  await card.getByRole("button").click();
  await nameSite(page);
  await expect(page.getByText("14 días sin pagar")).toBeVisible();
  await page.getByLabel("Usuario de WordPress").fill("lucia");
  await page.getByRole("button", { name: "Continuar" }).click();
  await page.getByRole("button", { name: "Pagar 0,00 €" }).click();
  await expect(page.getByRole("heading", { name: "Estamos creando tu WordPress" })).toBeVisible();
  await page.goto("/settings?tab=products");
  await expect(page.getByText("En prueba")).toBeVisible();
  await expect(page.getByText("Primer cobro")).toBeVisible();
  await expect(page.getByText("Último cobro")).toHaveCount(0);
  await page.goto("/newproject?category=wordpress");
  await expect(card).toContainText("239,00 € al año");
  await expect(card).not.toContainText("prueba");
  await nido.operate("coupons", "trial", "wordpress_business", "off");
});
