import { openSeed } from "@nido/test-kit/seed";
import { serverOn } from "../load/Server.ts";
import { startProduct } from "../product/startProduct.ts";

/** A product with one WordPress site, bench0, and a function to provision more. */
export async function startWordPressProduct(
  cleanups: AsyncDisposableStack,
  name: string,
  settings: { DATA_DIR: string } & Record<string, string>,
) {
  const { port, databaseUrl } = await startProduct(cleanups, settings);
  const seed = await openSeed(databaseUrl, "demo@nido.example");
  cleanups.defer(seed.close);
  await seed.makeWordPress("bench0");
  return { server: serverOn(port, name, "bench0.localhost"), provision: seed.makeWordPress };
}
export type WordPressProduct = Awaited<ReturnType<typeof startWordPressProduct>>;
