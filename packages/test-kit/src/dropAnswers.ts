import type { StripeAccess } from "@nido/server/billing/Billing";
import { openFaultyProxy } from "./faultyProxy.ts";

/**
 * The provider behind a connection that breaks: calls that change something are carried out, but the responses to
 * the first `times` attempts of each are lost. With `only`, this affects only calls to this path.
 */
export async function dropAnswers(access: StripeAccess, times: number, only?: string): Promise<StripeAccess> {
  const sent = new Map<string, number>();
  const apiUrl = await openFaultyProxy(access, ({ method, url, headers }) => {
    const key = `${url} ${headers["idempotency-key"]}`;
    const count = sent.get(key) ?? 0;
    sent.set(key, count + 1);
    const isLost = method !== "GET" && count < times && (only ?? url) === url;
    if (!isLost) return { isPassedOn: true, isAnswered: true };
    return { isPassedOn: true, isAnswered: false, onDone: ({ socket }) => socket.destroy() };
  });
  return { ...access, apiUrl };
}
