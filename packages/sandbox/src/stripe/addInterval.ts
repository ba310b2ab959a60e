import type { Objects } from "./objects.ts";

/** The end of a billing period: the same day of a later month or year, or the last day of a shorter month. */
export function addInterval(start: number, { recurring }: Objects["price"]): number {
  const count = recurring?.interval_count ?? 1;
  if (recurring?.interval === "day") return start + count * 86_400;
  if (recurring?.interval === "week") return start + count * 7 * 86_400;
  return addMonths(start, count * (recurring?.interval === "year" ? 12 : 1));
}

export function addMonths(start: number, months: number): number {
  const date = new Date(start * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return Math.floor(date.getTime() / 1000);
}
