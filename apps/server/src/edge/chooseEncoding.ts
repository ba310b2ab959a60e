import type { Encoding } from "../deploys/blobs/BlobStore.ts";

/** The encoding that Accept-Encoding prefers of those that exist, brotli before gzip; undefined for none. */
export function chooseEncoding(
  accepted: string | undefined,
  forms: Record<Encoding, number | null>,
): Encoding | undefined {
  if (accepted === undefined || accepted === "") return undefined;
  const br = forms.br === null ? 0 : qualityOf(accepted, "br");
  const gzip = forms.gzip === null ? 0 : qualityOf(accepted, "gzip");
  if (br === 0 && gzip === 0) return undefined;
  return br >= gzip ? "br" : "gzip";
}

function qualityOf(accepted: string, coding: string): number {
  for (const part of accepted.split(",")) {
    const [name, ...params] = part.split(";").map((text) => text.trim().toLowerCase());
    if (name !== coding) continue;
    const [, quality = "1"] = /^q=([\d.]+)$/.exec(params[0] ?? "") ?? [];
    return Number(quality) || 0;
  }
  return coding === "*" || !accepted.includes("*") ? 0 : qualityOf(accepted, "*");
}
