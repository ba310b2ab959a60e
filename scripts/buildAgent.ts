// Bundles the agent of WordPress sites on Kubernetes into one file that runs on Debian's Node.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "rolldown";
import { buildOnce } from "./buildOnce.ts";

const folder = resolve(import.meta.dirname, "../apps/agent");

export async function buildAgent() {
  mkdirSync(resolve(folder, "dist"), { recursive: true });
  await buildOnce("apps/agent/dist", ["apps/agent/src/**/*.ts", "apps/server/src/**/*.ts"], async () => {
    await build({
      input: resolve(folder, "src/main.ts"),
      platform: "node",
      logLevel: "warn",
      output: { file: resolve(folder, "dist/agent.mjs"), format: "esm", minify: true, codeSplitting: false },
    });
  });
}

if (import.meta.main) await buildAgent();
