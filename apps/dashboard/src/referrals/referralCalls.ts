import type { Referral } from "@nido/contract";
import { api, post, put } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

export function loadReferral(signal: AbortSignal): Promise<Referral> {
  return api<Referral>(serverPaths.referral, { signal });
}

export function requestPayout(): Promise<unknown> {
  return api(serverPaths.payout, post({}));
}

export function saveIban(iban: string): Promise<unknown> {
  return api(serverPaths.iban, put({ iban }));
}
