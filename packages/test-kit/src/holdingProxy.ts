import type { StripeAccess } from "@nido/server/billing/Billing";
import { openFaultyProxy } from "./faultyProxy.ts";

interface Trap {
  method: string;
  path: RegExp;
  isPassedOn: boolean;
  sprung(): void;
}

/** The provider behind a gate that can hold a call, or the response to it, forever. */
export async function openHoldingProxy(access: StripeAccess) {
  let trap: Trap | undefined;
  const apiUrl = await openFaultyProxy(access, ({ method, url = "" }) => {
    const caught = trap?.method === method && trap?.path.test(url) ? trap : undefined;
    if (!caught) return { isPassedOn: true, isAnswered: true };
    trap = undefined;
    return { isPassedOn: caught.isPassedOn, isAnswered: false, onDone: caught.sprung };
  });
  return {
    apiUrl,
    /** Holds the next matching call, or its response if it is passed on. Resolves when it is held. */
    keepNext: (method: string, path: RegExp, isPassedOn: boolean) =>
      new Promise<void>((sprung) => {
        trap = { method, path, isPassedOn, sprung };
      }),
  };
}
