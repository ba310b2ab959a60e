import { resolve } from "node:path";
import fastify from "fastify";
import { CoreStore } from "../wordpress/core/CoreStore.ts";
import { coreSources } from "../wordpress/core/sources.ts";

const folder = resolve(import.meta.dirname, "../../../../.tools/wordpress");

/** Names a WordPress to all tests and the products they start: fetched once, as the product fetches it. */
export async function provideCore() {
  const store = new CoreStore(folder, coreSources(process.env["WORDPRESS_CORE"]), fastify({ logger: false }).log);
  process.env["WORDPRESS_CORE"] = (await store.current()).folder;
}
