import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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
    await prerenderDocs(cwd, env);
  });
}

/** Makes a file of each page of the documentation, for search engines and for the first paint. */
async function prerenderDocs(cwd: string, env: NodeJS.ProcessEnv) {
  const outDir = join(cwd, "dist/.prerender");
  const code = await run(
    "vite",
    ["build", "--ssr", "src/docs/prerender.tsx", "--outDir", outDir, "--logLevel", "warn"],
    {
      cwd,
      env,
    },
  );
  if (code !== 0) process.exit(1);
  const { prerender } = await import(join(outDir, "prerender.js"));
  for (const { file, html } of prerender(readFileSync(join(cwd, "dist/index.html"), "utf8"))) {
    const path = join(cwd, "dist/docs", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, html);
  }
  rmSync(outDir, { recursive: true });
}
