import type { Objects } from "./objects.ts";

const spanish = 0.21;

/** The account is registered in Spain and nowhere else: that is where automatic tax takes something. */
export function taxOf(isAutomatic: boolean, customer: Objects["customer"] | undefined, net: number): number {
  return isAutomatic && customer?.address?.country === "ES" ? Math.round(net * spanish) : 0;
}
