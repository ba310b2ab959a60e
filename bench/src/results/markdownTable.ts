/** A table with aligned columns, as the formatter of this project writes it. */
export function formatTable(header: string[], rows: string[][]): string {
  const widths = header.map((_, column) =>
    Math.max(3, ...[header, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const format = (cells: string[]) => `| ${widths.map((width, i) => (cells[i] ?? "").padEnd(width)).join(" | ")} |`;
  return [header, widths.map((width) => "-".repeat(width)), ...rows].map(format).join("\n");
}

/** The rows of the table with this header; none if the text has no such table. */
export function parseTable(header: string[], text: string): string[][] {
  const lines = text.split("\n").map(parseCells);
  const start = lines.findIndex((cells) => cells.join() === header.join());
  if (start < 0) return [];
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((cells) => cells.length !== header.length);
  return end < 0 ? rows : rows.slice(0, end);
}

function parseCells(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
