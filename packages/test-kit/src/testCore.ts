import { resolve } from "node:path";
import { CoreStore } from "@nido/server/wordpress/core/CoreStore";
import { coreSources } from "@nido/server/wordpress/core/sources";
import fastify from "fastify";

const folder = resolve(import.meta.dirname, "../../../.tools/wordpress");

/** Sets WORDPRESS_CORE for all tests and the products they start. WordPress is fetched once, as the product does it. */
export async function provideCore() {
  const store = new CoreStore(folder, coreSources(process.env["WORDPRESS_CORE"]), fastify({ logger: false }).log);
  process.env["WORDPRESS_CORE"] = (await store.current()).folder;
}
