/** The dashboard's own texts, so that a test finds what a customer reads, in both languages. */

export { errorTexts as errorsEn } from "@nido/contract/errorTexts/en";
export { errorTexts as errorsEs } from "@nido/contract/errorTexts/es";
export { en as accountEn } from "../../apps/dashboard/src/i18n/accountEn.ts";
export { es as accountEs } from "../../apps/dashboard/src/i18n/accountEs.ts";
export { en as activityEn } from "../../apps/dashboard/src/i18n/activityEn.ts";
export { es as activityEs } from "../../apps/dashboard/src/i18n/activityEs.ts";
export { en } from "../../apps/dashboard/src/i18n/en.ts";
export { es } from "../../apps/dashboard/src/i18n/es.ts";
export { en as projectEn } from "../../apps/dashboard/src/i18n/projectEn.ts";
export { es as projectEs } from "../../apps/dashboard/src/i18n/projectEs.ts";
export { en as wizardEn } from "../../apps/dashboard/src/i18n/wizardEn.ts";
export { es as wizardEs } from "../../apps/dashboard/src/i18n/wizardEs.ts";

/** A text with its values. Those that are not named stay placeholders. */
export function say(text: string, values: Record<string, string>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}

/** A text up to the first value that is not named. */
export function startOf(text: string, values: Record<string, string> = {}): string {
  return say(text, values).split("{{")[0]?.trim() ?? "";
}
