export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [below = Number.NaN, above = Number.NaN] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return (below + above) / 2;
}
