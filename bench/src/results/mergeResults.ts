import type { Measurement } from "../Benchmark.ts";
import { median } from "../median.ts";
import { formatTable, parseTable } from "./markdownTable.ts";

const resultsHeader = ["Part", "Benchmark", "Peer", "Measure", "Median ratio", "Spread", "Rounds", "Date", "Machine"];
const machinesHeader = ["Machine", "CPU", "Cores", "Architecture", "Node", "Other programs"];

interface Row {
  /** The columns before "Machine". */
  cells: string[];
  machine: string[];
}

/** The text of RESULTS.md with the rows of one part replaced. All other rows keep their date and machine. */
export function mergeResults(
  text: string,
  { part, measurements, date, machine }: { part: string; measurements: Measurement[]; date: string; machine: string[] },
): string {
  const kept = parseRows(text).filter(({ cells }) => cells[0] !== part);
  const added = measurements.map((measurement) => ({ cells: [part, ...resultCells(measurement), date], machine }));
  return formatResults([...kept, ...added].toSorted((a, b) => String(a.cells[0]).localeCompare(String(b.cells[0]))));
}

function resultCells({ name, peer, measure, ratios }: Measurement): string[] {
  const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  return [name, peer, measure, median(ratios).toFixed(2), spread, String(ratios.length)];
}

function parseRows(text: string): Row[] {
  const machines = new Map(parseTable(machinesHeader, text).map(([number, ...machine]) => [number, machine]));
  return parseTable(resultsHeader, text).map((cells) => ({
    cells: cells.slice(0, -1),
    machine: machines.get(cells.at(-1)) ?? [],
  }));
}

function formatResults(rows: Row[]): string {
  const machines = [...new Map(rows.map(({ machine }) => [machine.join("|"), machine])).entries()];
  const numberOf = (machine: string[]) => String(machines.findIndex(([key]) => key === machine.join("|")) + 1);
  const resultRows = rows.map(({ cells, machine }) => [...cells, numberOf(machine)]);
  const machineRows = machines.map(([, machine]) => [numberOf(machine), ...machine]);
  return `# Benchmark results

Written by \`npm run bench -- --save\`. A run replaces the rows of the parts that it ran.

Each round measures Nido and its peers in turn. A ratio is Nido's figure divided by the peer's in the same round. In requests/s, Nido is faster above 1.00; in time, Nido is faster below 1.00; in bytes, Nido sends less below 1.00. The spread is the lowest and the highest ratio of all rounds.

${formatTable(resultsHeader, resultRows)}

## Machines

${formatTable(machinesHeader, machineRows)}
`;
}
