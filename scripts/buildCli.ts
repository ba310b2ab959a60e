// Bundles the CLI into files that need only Node.
import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "rolldown";
import { buildOnce } from "./buildOnce.ts";

const folder = resolve(import.meta.dirname, "../apps/cli");

export async function buildCli() {
  await buildOnce(
    "apps/cli/dist",
    ["apps/cli/src/**/*.ts", "packages/{contract,static-site}/src/**/*.ts"],
    async () => {
      rmSync(resolve(folder, "dist"), { recursive: true, force: true });
      await build({
        input: { nido: resolve(folder, "src/main.ts") },
        platform: "node",
        logLevel: "warn",
        output: {
          dir: resolve(folder, "dist"),
          // A CommonJS file starts in two thirds of the time: an ES module also loads the lazy parts of the
          // Node modules that it imports.
          format: "cjs",
          entryFileNames: "[name].cjs",
          chunkFileNames: "[name].cjs",
          minify: true,
        },
      });
    },
  );
}

if (import.meta.main) await buildCli();
