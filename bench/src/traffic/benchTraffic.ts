import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Report } from "../Benchmark.ts";
import { compareInRounds } from "../load/compareInRounds.ts";
import { loadWithWrk } from "../load/loadWithWrk.ts";
import { type Server, serverOn } from "../load/Server.ts";
import { waitForAnswer } from "../load/waitForAnswer.ts";
import { makeWorkFolder } from "../makeWorkFolder.ts";
import { startStaticProduct } from "../product/startStaticProduct.ts";
import { writeSite } from "../static/writeSite.ts";

const [rounds, connections] = [24, 64];
const html = { path: "/" };
/** A browser's own fields: the counters read them. */
const headers = {
  "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  Accept: "text/html",
  Referer: "https://example.com/",
};

/** The same page from two products: one counts visits, the other does not. */
export async function benchTraffic(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  const ours = await start(cleanups, "Nido", "on");
  const peer = await start(cleanups, "Nido without counters", "off");
  const load = (server: Server) => loadWithWrk(server, html, connections, headers);
  await compareInRounds({ name: "2 kB HTML, counted", ours, peers: [peer], rounds, load }, report);
}

async function start(cleanups: AsyncDisposableStack, name: string, statistics: "on" | "off"): Promise<Server> {
  const folder = makeWorkFolder(cleanups);
  const settings = { PROCESSES: String(availableParallelism()), TRAFFIC_STATISTICS: statistics };
  const { port, hostname, publish } = await startStaticProduct(cleanups, folder, settings);
  writeSite(join(folder, "site"));
  await publish(join(folder, "site"));
  const server = serverOn(port, name, hostname);
  await waitForAnswer(server, html);
  return server;
}
