import { resolve } from "node:path";
import { buildOnce } from "./buildOnce.ts";
import { run } from "./run.ts";

const sources = [
  "apps/dashboard/*.*",
  "apps/dashboard/{src,public}/**/*.*",
  "packages/{contract,redux-remote}/src/**/*.ts",
];

export async function buildDashboard() {
  await buildOnce("apps/dashboard/dist", sources, async () => {
    console.log("Building the dashboard…");
    const cwd = resolve(import.meta.dirname, "../apps/dashboard");
    // Vitest sets NODE_ENV to "test", which would bundle React's development build.
    const env = { ...process.env, NODE_ENV: "production" };
    const code = await run("vite", ["build", "--logLevel", "warn"], { cwd, env });
    if (code !== 0) process.exit(1);
  });
}
