import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres } from "@nido/server/db/embeddedPostgres";
import { migrate } from "@nido/server/db/migrate";
import type { TestProject } from "vitest/node";
import { buildCli } from "../../../scripts/buildCli.ts";
import { buildDashboard } from "../../../scripts/buildDashboard.ts";
import { provideCore } from "./testCore.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/** One PostgreSQL for all tests, with a migrated database that each test copies. */
export async function setup({ provide }: TestProject) {
  await provideCore();
  await buildCli();
  // Built once here. Otherwise the products that tests start would build it at the same time.
  await buildDashboard();
  const folder = mkdtempSync(join(tmpdir(), "nido-test-"));
  chmodSync(folder, 0o711);
  const postgres = await startEmbeddedPostgres(folder, { fsync: "off", max_connections: "500" });
  await migrate(postgres.url);
  provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
