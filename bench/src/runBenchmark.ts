import { installSystemPackages } from "../../scripts/installSystemPackages.ts";
import type { Benchmark, Measurement } from "./Benchmark.ts";
import { median } from "./median.ts";

/** Runs one part and prints its results. Returns none if a program that it needs is missing. */
export async function runBenchmark(part: string, { title, packages, whyNot, run }: Benchmark) {
  console.log(`\n${part}: ${title}`);
  const measurements: Measurement[] = [];
  const missing = await installSystemPackages(packages);
  const reason = missing.length > 0 ? `${missing.join(", ")} is missing and could not be installed` : whyNot?.();
  if (reason) {
    console.log(`  Skipped: ${reason}.`);
    return measurements;
  }
  await run((measurement) => {
    measurements.push(measurement);
    print(measurement);
  });
  return measurements;
}

function print({ name, peer, measure, ratios }: Measurement) {
  const rounds = ratios.map((ratio) => ratio.toFixed(2)).join(" ");
  console.log(`  ${name} / ${peer} = ${median(ratios).toFixed(2)} in ${measure} (rounds: ${rounds})`);
}
