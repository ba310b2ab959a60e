import autocannon from "autocannon";

interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
}

const rounds = 7;
const seconds = 3;

/** Loads both in turn and prints the median of each round's ratio: neighbours in time share the machine's mood. */
export async function compare(ours: Target, peer: Target) {
  await throughput(ours);
  await throughput(peer);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) ratios.push((await throughput(ours)) / (await throughput(peer)));
  const sorted = ratios.toSorted((a, b) => a - b);
  const shown = sorted.map((ratio) => ratio.toFixed(2)).join(" ");
  console.log(`${ours.name} / ${peer.name} = ${sorted[Math.floor(rounds / 2)]?.toFixed(2)}  (rounds: ${shown})`);
}

async function throughput({ name, url, headers }: Target): Promise<number> {
  const result = await autocannon({ url, headers, connections: 32, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}
