import type { Encoding } from "../../deploys/blobs/BlobStore.ts";

/** The best encoding that exists and that Accept-Encoding allows; undefined for none. */
export function chooseEncoding(
  accepted: string | undefined,
  forms: Record<Encoding, number | null>,
): Encoding | undefined {
  if (accepted === undefined || accepted === "") return undefined;
  if (forms.br !== null && accepts(accepted, "br")) return "br";
  return forms.gzip !== null && accepts(accepted, "gzip") ? "gzip" : undefined;
}

function accepts(accepted: string, encoding: Encoding): boolean {
  if (!accepted.includes(encoding)) return accepted.includes("*") && qualityOf(accepted, "*") > 0;
  return qualityOf(accepted, encoding) > 0;
}

function qualityOf(accepted: string, coding: string): number {
  for (const part of accepted.split(",")) {
    const [name, ...params] = part.split(";").map((text) => text.trim().toLowerCase());
    if (name !== coding) continue;
    const [, quality = "1"] = /^q=([\d.]+)$/.exec(params[0] ?? "") ?? [];
    return Number(quality);
  }
  return 0;
}
