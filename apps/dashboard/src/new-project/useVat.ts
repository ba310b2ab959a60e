import { estimateVat } from "@nido/contract";
import { useSettings, useUserIfSignedIn } from "../state/store.ts";

/** The VAT that the customer probably pays, in percent; undefined if it is not known, or not added. */
export function useVat(): number | undefined {
  const { vat } = useSettings();
  const user = useUserIfSignedIn();
  return vat && user ? estimateVat(user, vat.seller) : undefined;
}

/** An amount with VAT, rounded as the payment provider does. */
export function withVat(amount: number, percent: number): number {
  return amount + Math.round((amount * percent) / 100);
}
