import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { openSeed } from "@nido/test-kit/seed";
import { startProgram } from "./startProgram.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const project = "benchfolio";

/** The product with a static project, and the tool that publishes a folder there. */
export async function startStaticProduct(folder: string, port: number, settings: Record<string, string>) {
  const data = join(folder, "data");
  const env = { DATA_DIR: data, PORT: String(port), ...settings };
  const product = await startProgram(join(root, "scripts/start.ts"), env, "Ctrl-C stops it.");
  const databaseUrl = `postgres://nido@/nido?host=${encodeURIComponent(join(data, "run"))}`;
  const token = await prepare(databaseUrl).catch(async (error) => {
    await product.stop();
    throw error;
  });
  // It prepares WordPress in the background, which is not what is measured here.
  while (globSync(join(data, "wordpress/*/platform-*.sqlite")).length < 2) await pause(500);
  const toolEnv = {
    PATH: process.env["PATH"],
    HOME: folder,
    NIDO_SERVER: `http://localhost:${port}`,
    NIDO_TOKEN: token,
  };
  return {
    host: `${project}.localhost:${port}`,
    publish: (site: string) =>
      run(process.execPath, [join(root, "apps/cli/dist/nido.cjs"), "publish", site, "--project", project], {
        env: toolEnv,
      }),
    stop: product.stop,
  };
}

async function prepare(databaseUrl: string): Promise<string> {
  const seed = await openSeed(databaseUrl, "demo@nido.example");
  try {
    await seed.addProject(project, { recipe: "static_starter" });
    return await seed.giveToken();
  } finally {
    await seed.close();
  }
}
