import type { Report } from "../Benchmark.ts";
import type { WordPressPeer } from "./startWordPressPeer.ts";
import type { WordPressProduct } from "./startWordPressProduct.ts";

const rounds = 5;
const copyAndInstall = "copying WordPress and wp_install, no page requested";

/** New sites on the native runtime. Returns the milliseconds that each took. */
export async function benchProvisioning(product: WordPressProduct, peer: WordPressPeer, report: Report) {
  const times: { installed: number; done: number; peer: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const ours = await product.provision(`bench${round + 1}`);
    const began = performance.now();
    peer.install(`peer${round}`);
    times.push({ ...ours, peer: performance.now() - began });
  }
  const reportUntil = (name: string, step: "installed" | "done") =>
    report({ name, peer: copyAndInstall, measure: "time", ratios: times.map((time) => time[step] / time.peer) });
  reportUntil("provisioning until WordPress is installed", "installed");
  reportUntil("provisioning until PHP runs and two pages have answered", "done");
  return times.map(({ done }) => done);
}
