import type { IncomingMessage } from "node:http";
import type { StripeAccess } from "@nido/server/billing/Billing";
import { openFaultyProxy } from "./faultyProxy.ts";

/** The provider, except for the calls that `answer` answers with a status and a body. */
export async function answering(
  access: StripeAccess,
  answer: (request: IncomingMessage) => { status: number; body: unknown } | undefined,
): Promise<StripeAccess> {
  const apiUrl = await openFaultyProxy(access, (request) => ({
    isPassedOn: true,
    isAnswered: true,
    answer: answer(request),
  }));
  return { ...access, apiUrl };
}
