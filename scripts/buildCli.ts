// Bundles the command-line tool into one file, which needs nothing but Node.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "rolldown";
import { buildOnce } from "./buildOnce.ts";

const folder = resolve(import.meta.dirname, "../apps/cli");

export async function buildCli() {
  mkdirSync(resolve(folder, "dist"), { recursive: true });
  await buildOnce("apps/cli/dist", ["apps/cli/src/**/*.ts", "packages/contract/src/**/*.ts"], async () => {
    await build({
      input: resolve(folder, "src/main.ts"),
      platform: "node",
      logLevel: "warn",
      output: {
        file: resolve(folder, "dist/nido.cjs"),
        // Started in two thirds of the time: what an ES module imports of Node is loaded whole.
        format: "cjs",
        minify: true,
        codeSplitting: false,
      },
    });
  });
}

if (import.meta.main) await buildCli();
