import type { Language } from "@nido/contract";

const units = ["byte", "kilobyte", "megabyte", "gigabyte"];

/** A size as people say it: 958 kB, 15 GB. */
export function formatBytes(bytes: number, lang: Language): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return new Intl.NumberFormat(lang, {
    style: "unit",
    unit: units[power] ?? "byte",
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
