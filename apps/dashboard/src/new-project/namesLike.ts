import { isSiteName, normalizeSiteName } from "@nido/contract";

/** Well-formed names that resemble one that is taken. */
export function namesLike(name: string): string[] {
  const stem = name.replace(/\d+$/, "");
  const year = new Date().getFullYear();
  const names = [`mi${stem}`, `${stem}web`, `${stem}${year}`];
  return names.filter((other) => other !== name && isSiteName(other) && other === normalizeSiteName(other));
}
