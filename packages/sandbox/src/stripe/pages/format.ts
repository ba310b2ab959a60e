export type Lang = "es" | "en";

export function languageOf(locale: string | null): Lang {
  return locale?.startsWith("en") ? "en" : "es";
}

/** The currencies whose amounts Stripe counts in whole units, or in thousandths; all others in hundredths. */
const wholeUnits = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
const thousandths = "bhd jod kwd omr tnd".split(" ");

export function formatMoney(amount: number | null, currency: string | null, lang: Lang): string {
  const code = currency ?? "eur";
  const unit = wholeUnits.includes(code) ? 1 : thousandths.includes(code) ? 1000 : 100;
  return new Intl.NumberFormat(lang, { style: "currency", currency: code }).format((amount ?? 0) / unit);
}

export function formatDate(seconds: number, lang: Lang): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: "medium" }).format(seconds * 1000);
}
