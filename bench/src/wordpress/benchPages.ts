import type { Report } from "../Benchmark.ts";
import { assertComparable } from "../load/assertComparable.ts";
import { compareInRounds } from "../load/compareInRounds.ts";
import { loadWithWrk } from "../load/loadWithWrk.ts";
import type { Page, Server } from "../load/Server.ts";
import type { WordPressPeer } from "./startWordPressPeer.ts";

const connections = 8;
const home: Page = { path: "/", encoding: "gzip" };
/** Search results are never cached. */
export const searchPage: Page = { path: "/?s=hola" };
/** Both sites are fresh installations of the same WordPress, but their titles and addresses differ. */
const maxSizeRatio = 1.25;

/** Pages of the native runtime. */
export async function benchPages(ours: Server, peer: WordPressPeer, report: Report) {
  const compare = async (name: string, peers: Server[], page: Page, rounds: number) => {
    await assertComparable(ours, peers, page, maxSizeRatio);
    const load = (server: Server) => loadWithWrk(server, page, connections);
    await compareInRounds({ name, ours, peers, rounds, load }, report);
  };
  await assertCompressesOnTheFly(ours, peer.onTheFly);
  await compare("cached home page, gzip", [peer.stored, peer.onTheFly], home, 5);
  // More rounds, because a round has few requests: PHP needs long for each.
  await compare("uncached page", [peer.uncached], searchPage, 15);
}

/** Checks that nginx caches the page uncompressed. A cached compressed page would go to every client. */
async function assertCompressesOnTheFly(ours: Server, onTheFly: Server) {
  await assertComparable(ours, [onTheFly], home, maxSizeRatio);
  await assertComparable(ours, [onTheFly], { path: home.path }, maxSizeRatio);
}
