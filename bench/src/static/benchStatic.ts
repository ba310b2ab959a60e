import { cpSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Report } from "../Benchmark.ts";
import { assertComparable } from "../load/assertComparable.ts";
import { compareInRounds } from "../load/compareInRounds.ts";
import { loadWithWrk } from "../load/loadWithWrk.ts";
import { type Page, type Server, serverOn } from "../load/Server.ts";
import { waitForAnswer } from "../load/waitForAnswer.ts";
import { makeWorkFolder } from "../makeWorkFolder.ts";
import { startStaticProduct } from "../product/startStaticProduct.ts";
import { startCaddy } from "./startCaddy.ts";
import { startNginx } from "./startNginx.ts";
import { precompress, writeSite } from "./writeSite.ts";

const [rounds, connections] = [5, 64];
const html: Page = { path: "/" };
const gzippedHtml: Page = { path: "/", encoding: "gzip" };
const image: Page = { path: "/image.jpg" };
/** The peers' default levels compress less than the level 9 of a deploy. */
const maxSizeRatioOnTheFly = 2;

/** The same files from Nido, nginx and Caddy. */
export async function benchStatic(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  const folder = makeWorkFolder(cleanups);
  const ours = await publishSite(cleanups, folder);
  const peerSite = join(folder, "peerSite");
  cpSync(join(folder, "site"), peerSite, { recursive: true });
  precompress(peerSite);
  const nginx = await startNginx(cleanups, folder, peerSite);
  const caddy = await startCaddy(cleanups, folder, peerSite);
  for (const { onTheFly } of [nginx, caddy]) await waitForAnswer(onTheFly, html);

  const plain = [nginx.plain, caddy.plain];
  const precompressed = [nginx.precompressed, caddy.precompressed];
  const onTheFly = [nginx.onTheFly, caddy.onTheFly];
  await assertComparable(ours, plain, html, 1);
  await assertComparable(ours, plain, image, 1);
  await assertComparable(ours, precompressed, gzippedHtml, 1);
  await assertComparable(ours, onTheFly, gzippedHtml, maxSizeRatioOnTheFly);

  const compare = (name: string, peers: Server[], page: Page) => {
    const load = (server: Server) => loadWithWrk(server, page, connections);
    return compareInRounds({ name, ours, peers, rounds, load }, report);
  };
  await compare("2 kB HTML, uncompressed", plain, html);
  await compare("2 kB HTML, gzip", [...precompressed, ...onTheFly], gzippedHtml);
  await compare("300 kB image", plain, image);
}

async function publishSite(cleanups: AsyncDisposableStack, folder: string): Promise<Server> {
  const site = join(folder, "site");
  writeSite(site);
  const PROCESSES = String(availableParallelism());
  const { port, hostname, publish } = await startStaticProduct(cleanups, folder, { PROCESSES });
  await publish(site);
  const server = serverOn(port, "Nido", hostname);
  // A job compresses the files after the deploy is live.
  await waitForAnswer(server, gzippedHtml);
  return server;
}
