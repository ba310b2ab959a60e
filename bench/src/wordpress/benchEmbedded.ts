import type { Report } from "../Benchmark.ts";
import { assertComparable } from "../load/assertComparable.ts";
import { compareInRounds } from "../load/compareInRounds.ts";
import { loadWithWrk } from "../load/loadWithWrk.ts";
import { median } from "../median.ts";
import { searchPage } from "./benchPages.ts";
import type { WordPressProduct } from "./startWordPressProduct.ts";

const rounds = 3;
const peer = "native runtime";

/** The embedded runtime, compared with our own native runtime in the same run. */
export async function benchEmbedded(
  embedded: WordPressProduct,
  native: WordPressProduct,
  nativeProvisioning: number[],
  report: Report,
) {
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const { done } = await embedded.provision(`bench${round}`);
    ratios.push(done / median(nativeProvisioning));
  }
  report({ name: "provisioning, embedded runtime", peer, measure: "time", ratios });

  const [ours, theirs] = [embedded.server, { ...native.server, name: peer }];
  await assertComparable(ours, [theirs], searchPage, 1.25);
  await compareInRounds(
    {
      name: "uncached page, embedded runtime, one connection",
      ours,
      peers: [theirs],
      rounds,
      load: (server) => loadWithWrk(server, searchPage, 1),
    },
    report,
  );
}
