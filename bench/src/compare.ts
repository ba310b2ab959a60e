import autocannon from "autocannon";
import { printRatio } from "./ratio.ts";

interface Target {
  name: string;
  url: string;
  headers: Record<string, string>;
}

const rounds = 7;
const seconds = 3;

/** Loads both in turn. */
export async function compare(ours: Target, peer: Target) {
  await throughput(ours);
  await throughput(peer);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) ratios.push((await throughput(ours)) / (await throughput(peer)));
  printRatio(ours.name, peer.name, ratios);
}

async function throughput({ name, url, headers }: Target): Promise<number> {
  const result = await autocannon({ url, headers, connections: 32, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refusals, ${result.errors} errors`);
  return result.requests.average;
}
