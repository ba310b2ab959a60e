import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "src",
  ...(process.env["NIDO_TEST_LONG"] !== "1" && { grepInvert: /@long/ }),
  globalSetup: "./src/globalSetup.ts",
  outputDir: "../test-results/browser",
  workers: 2,
  fullyParallel: true,
  // These only end tests that hang; a slow machine must not reach them.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  use: {
    locale: "es-ES",
    timezoneId: "Europe/Madrid",
    viewport: { width: 1280, height: 900 },
    // Recording every test for a trace doubles their time. `npm run test:browser` has no options, so ask for one here.
    trace: "off",
    // Screens that fade and slide are slower. A test of frame.test.ts asks for the fade.
    contextOptions: { reducedMotion: "reduce" },
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
