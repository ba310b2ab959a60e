import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["apps/**/*.test.ts", "packages/**/*.test.ts", "scripts/**/*.test.ts"],
    globalSetup: "apps/server/src/testing/globalSetup.ts",
    testTimeout: 20_000,
    hookTimeout: 30_000,
    pool: "threads",
  },
});
