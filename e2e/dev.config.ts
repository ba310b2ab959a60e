import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "src",
  globalSetup: "./src/globalSetup.ts",
  outputDir: "../test-results/browser",
  workers: 2,
  fullyParallel: true,
  // These only end tests that hang; a slow machine must not reach them.
  timeout: 90_000,
  expect: { timeout: 12_000 },
  use: {
    locale: "es-ES",
    timezoneId: "Europe/Madrid",
    viewport: { width: 1280, height: 900 },
    trace: "retain-on-failure",
    launchOptions: {
      executablePath: "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
