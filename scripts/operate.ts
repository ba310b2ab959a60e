import { parseConfig } from "../apps/server/src/config/parseConfig.ts";
import { connect } from "../apps/server/src/db/connect.ts";
import { embeddedUrl } from "../apps/server/src/db/embeddedPostgres.ts";

/** The settings and the database of the product, for the operator's commands. */
export const config = parseConfig(process.env);
export const db = connect(config.DATABASE_URL ?? embeddedUrl(config.DATA_DIR));

/** Runs a command, and prints its result or its error. */
export async function operate(act: () => Promise<string>) {
  try {
    console.log(await act());
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
  await db.$client.end();
}
