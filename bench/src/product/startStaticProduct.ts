import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openSeed } from "@nido/test-kit/seed";
import { waitUntil } from "../waitUntil.ts";
import { root, startProduct } from "./startProduct.ts";

const run = promisify(execFile);
const project = "benchfolio";

/** The product with one static project, and the CLI to publish a folder there. */
export async function startStaticProduct(
  cleanups: AsyncDisposableStack,
  folder: string,
  settings: Record<string, string> = {},
) {
  const data = join(folder, "data");
  const { port, origin, databaseUrl } = await startProduct(cleanups, { DATA_DIR: data, ...settings });
  const token = await addStaticProject(databaseUrl);
  // The product prepares WordPress in the background. That must not run during the measurement.
  const prepared = join(data, "wordpress/*/platform-*.sqlite");
  await waitUntil(() => globSync(prepared).length >= 2, "WordPress is prepared");

  const cli = join(root, "apps/cli/dist/nido.cjs");
  const { NODE_EXTRA_CA_CERTS = "" } = settings;
  const env = { PATH: process.env["PATH"], HOME: folder, NIDO_SERVER: origin, NIDO_TOKEN: token, NODE_EXTRA_CA_CERTS };
  return {
    port,
    databaseUrl,
    hostname: `${project}.localhost`,
    publish: (site: string) => run(process.execPath, [cli, "publish", site, "--project", project], { env }),
  };
}

async function addStaticProject(databaseUrl: string): Promise<string> {
  const seed = await openSeed(databaseUrl, "demo@nido.example");
  try {
    await seed.addProject(project, { recipe: "static_starter" });
    return await seed.giveToken();
  } finally {
    await seed.close();
  }
}
