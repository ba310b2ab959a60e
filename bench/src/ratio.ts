export function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Prints the median of each round's ratio: neighbours in time share the machine's mood. */
export function printRatio(ours: string, peer: string, ratios: number[]) {
  const shown = ratios
    .toSorted((a, b) => a - b)
    .map((ratio) => ratio.toFixed(2))
    .join(" ");
  console.log(`${ours} / ${peer} = ${median(ratios).toFixed(2)}  (rounds: ${shown})`);
}
