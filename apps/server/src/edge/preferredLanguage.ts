import type { Language } from "@nido/contract";

/** The first of our languages that the visitor's browser asks for. */
export function preferredLanguage(acceptLanguage = ""): Language | undefined {
  const found = /(?:^|[,\s])(es|en)(?:[-;,\s]|$)/i.exec(acceptLanguage.slice(0, 200));
  return found?.[1]?.toLowerCase() as Language | undefined;
}
