import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["apps/**/*.test.{ts,tsx}", "packages/**/*.test.ts", "scripts/**/*.test.ts"],
    globalSetup: "packages/test-kit/src/globalSetup.ts",
    // These only end tests that hang; a slow machine must not reach them. Waits have their own stall limit: see
    // waitUntil in packages/test-kit.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
    pool: "threads",
    // More workers than cores, because many tests wait for a database, a PHP or another process.
    maxWorkers: 3,
  },
});
