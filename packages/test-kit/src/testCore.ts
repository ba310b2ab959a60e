import { join, resolve } from "node:path";
import { CoreStore } from "@nido/server/wordpress/core/CoreStore";
import { provideWpCli } from "@nido/server/wordpress/core/provideWpCli";
import { coreSources } from "@nido/server/wordpress/core/sources";
import fastify from "fastify";

const folder = resolve(import.meta.dirname, "../../../.tools/wordpress");

/** Sets WORDPRESS_CORE and WORDPRESS_CLI for all tests and the products they start. Both are fetched once, as the product does it. */
export async function provideCore() {
  const store = new CoreStore(folder, coreSources(process.env["WORDPRESS_CORE"]), fastify({ logger: false }).log);
  process.env["WORDPRESS_CORE"] = (await store.current()).folder;
  if (process.env["WORDPRESS_CLI"]) return;
  const wpCli = join(folder, "wp-cli.phar");
  await provideWpCli(wpCli);
  process.env["WORDPRESS_CLI"] = wpCli;
}
