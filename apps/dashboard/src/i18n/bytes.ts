import type { Language } from "@nido/contract";

const units = ["kilobyte", "megabyte", "gigabyte"];

/** A human-readable size: 958 kB, 15 GB. */
export function formatBytes(bytes: number, lang: Language): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 1), units.length);
  // A few bytes must not be shown as 0.
  const value = Math.max(bytes / 1000 ** power, bytes > 0 ? 0.1 : 0);
  return new Intl.NumberFormat(lang, {
    style: "unit",
    unit: units[power - 1] ?? "kilobyte",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
