// Bundles the CLI into one file that needs only Node.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "rolldown";
import { buildOnce } from "./buildOnce.ts";

const folder = resolve(import.meta.dirname, "../apps/cli");

export async function buildCli() {
  mkdirSync(resolve(folder, "dist"), { recursive: true });
  await buildOnce(
    "apps/cli/dist",
    ["apps/cli/src/**/*.ts", "packages/{contract,static-site}/src/**/*.ts"],
    async () => {
      await build({
        input: resolve(folder, "src/main.ts"),
        platform: "node",
        logLevel: "warn",
        output: {
          file: resolve(folder, "dist/nido.cjs"),
          // A CommonJS file starts in two thirds of the time: an ES module also loads the lazy parts of the
          // Node modules that it imports.
          format: "cjs",
          minify: true,
          codeSplitting: false,
        },
      });
    },
  );
}

if (import.meta.main) await buildCli();
