import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["apps/**/*.test.{ts,tsx}", "packages/**/*.test.ts", "scripts/**/*.test.ts"],
    globalSetup: "packages/test-kit/src/globalSetup.ts",
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    pool: "threads",
    // Many tests wait: for a database, a PHP, a process that is killed.
    maxWorkers: 3,
  },
});
