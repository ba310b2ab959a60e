/** Columns of text for a terminal. Those with numbers are aligned on the right. */
export function toTable(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const isNumeric = widths.map((_, column) => rows.slice(1).every((row) => isNumber(row[column] || "0")));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          isNumeric[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** CSV by RFC 4180. A spreadsheet runs no cell as a formula. */
export function toCsv(rows: string[][]): string {
  return rows.map((row) => `${row.map(toCell).join(",")}\r\n`).join("");
}

function toCell(text: string): string {
  const harmless = /^[=+\-@\t\r\n]/.test(text) && !isNumber(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text);
}
