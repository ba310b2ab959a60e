import type { Report } from "../Benchmark.ts";
import { median } from "../median.ts";

interface Comparison<Target extends { name: string }> {
  name: string;
  ours: Target;
  peers: Target[];
  rounds: number;
  /** Puts load on a server and returns its requests per second. */
  load: (target: Target) => Promise<number>;
}

/** Puts load on Nido and its peers in turn, so that within one round all have the same background load. */
export async function compareInRounds<Target extends { name: string }>(
  { name, ours, peers, rounds, load }: Comparison<Target>,
  report: Report,
) {
  const targets = [ours, ...peers];
  for (const target of targets) await load(target); // warm-up

  const speeds = new Map<Target, number[]>(targets.map((target) => [target, []]));
  for (let round = 0; round < rounds; round++) {
    // Each is first in every other round: the machine's state may differ after a pause.
    for (const target of round % 2 ? targets.toReversed() : targets) speeds.get(target)?.push(await load(target));
  }
  const speedsOf = (target: Target) => speeds.get(target) ?? [];
  for (const target of targets) console.log(`  (${target.name}: ${Math.round(median(speedsOf(target)))} requests/s)`);
  for (const peer of peers) {
    const peerSpeeds = speedsOf(peer);
    const ratios = speedsOf(ours).map((speed, round) => speed / (peerSpeeds[round] ?? Number.NaN));
    report({ name, peer: peer.name, measure: "requests/s", ratios });
  }
}
