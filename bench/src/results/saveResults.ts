import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Measurement } from "../Benchmark.ts";
import { describeMachine } from "./describeMachine.ts";
import { mergeResults } from "./mergeResults.ts";

const file = resolve(import.meta.dirname, "../../RESULTS.md");

/** Writes what one part measured to bench/RESULTS.md. */
export function saveResults(part: string, measurements: Measurement[]) {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(file, mergeResults(text, { part, measurements, date, machine: describeMachine() }));
  console.log(`  Saved to ${file}.`);
}
