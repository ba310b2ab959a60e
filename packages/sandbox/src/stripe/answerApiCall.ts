import { createHash } from "node:crypto";
import { balanceRoutes } from "./balances.ts";
import { catalogueRoutes } from "./catalogue.ts";
import { checkoutRoutes } from "./checkout.ts";
import { couponRoutes } from "./coupons.ts";
import { customerRoutes } from "./customers.ts";
import { disputeRoutes } from "./disputes.ts";
import { expand } from "./expand.ts";
import { invoiceSearchRoutes } from "./invoiceSearch.ts";
import { invoiceRoutes } from "./invoices.ts";
import { parseParameters } from "./parameters.ts";
import { parseForm } from "./parseForm.ts";
import { paymentRoutes } from "./payments.ts";
import { portalRoutes } from "./portal.ts";
import { promotionCodeRoutes } from "./promotionCodes.ts";
import { refundRoutes } from "./refunds.ts";
import { newId } from "./Store.ts";
import { apiVersion, type StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { webhookRoutes } from "./webhooks.ts";

const routes = [
  ...catalogueRoutes,
  ...customerRoutes,
  ...couponRoutes,
  ...promotionCodeRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  // Before the retrieval of an invoice by its id, which has the same form.
  ...invoiceSearchRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
  ...refundRoutes,
  ...disputeRoutes,
  ...balanceRoutes,
  ...portalRoutes,
  ...webhookRoutes,
].map((route) => ({ ...route, pattern: new RegExp(`^${route.path.replace(/:\w+/g, "([^/]+)")}$`) }));

export interface Call {
  method: string;
  /** without the query string */
  path: string;
  /** the body of a POST, otherwise the query string */
  form: string;
  authorization: string | undefined;
  version: string | undefined;
  idempotencyKey: string | undefined;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Answers an API call. It is synchronous, so two calls with the same idempotency key never overlap. */
export function answerApiCall(context: StripeContext, call: Call): Answer {
  const id = newId("req");
  const headers = { "content-type": "application/json", "request-id": id, "stripe-version": apiVersion };
  try {
    requireKey(context, call.authorization);
    requireRate(context);
    if (call.version !== undefined && call.version !== apiVersion)
      throw new StripeFault(400, `Invalid Stripe API version: ${call.version}`);
    return context.store.transaction(() => {
      const known = call.method === "POST" ? replay(context, call) : undefined;
      if (known) return { ...known, headers: { ...headers, "idempotent-replayed": "true" } };
      context.request = { id, idempotency_key: call.idempotencyKey ?? null };
      const body = JSON.stringify(perform(context, call), null, 2);
      if (call.method === "POST") keepAnswer(context, call, 200, body);
      return { status: 200, headers, body };
    });
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    const body = JSON.stringify(error.body, null, 2);
    // Stripe replays a refusal, too, unless it refused the parameters before it did anything.
    if (error.isExecuted && call.method === "POST")
      context.store.transaction(() => keepAnswer(context, call, error.status, body));
    return { status: error.status, headers: { ...headers, ...(error.status === 429 && { "retry-after": "1" }) }, body };
  } finally {
    context.request = null;
  }
}

function requireKey({ store }: StripeContext, authorization = "") {
  const key = authorization.replace(/^Bearer /, "");
  if (key === store.find("_account", "_account")?.apiKey) return;
  throw new StripeFault(401, `Invalid API Key provided: ${key.slice(0, 7)}****`);
}

/** Refuses as many calls as were asked for on the control page. */
function requireRate({ store }: StripeContext) {
  const account = store.find("_account", "_account");
  const left = account?.limitedCalls ?? 0;
  if (!account || left === 0) return;
  store.transaction(() => store.put({ ...account, limitedCalls: left - 1 }));
  throw new StripeFault(429, "Request rate limit exceeded.", { code: "rate_limit" });
}

function keepAnswer({ store }: StripeContext, call: Call, status: number, body: string) {
  if (!call.idempotencyKey) return;
  const id = `_answer_${call.idempotencyKey}`;
  store.put({ id, object: "_answer", fingerprint: fingerprint(call), status, body });
}

/** The stored response for this idempotency key. */
function replay({ store }: StripeContext, call: Call) {
  const known = call.idempotencyKey && store.find("_answer", `_answer_${call.idempotencyKey}`);
  if (!known) return undefined;
  if (known.fingerprint === fingerprint(call)) return { status: known.status, body: known.body };
  throw new StripeFault(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${call.idempotencyKey}' if you meant to execute a different request.`,
    { type: "idempotency_error" },
  );
}

function fingerprint({ path, form }: Call): string {
  return createHash("sha256").update(`${path}\n${form}`).digest("hex");
}

function perform(context: StripeContext, call: Call): unknown {
  for (const { method, pattern, schema, run } of routes) {
    const match = method === call.method && pattern.exec(call.path);
    if (!match) continue;
    const [, id = "", innerId = ""] = match.map((part) => decodeURIComponent(part));
    const params = parseParameters(schema, parseForm(call.form)) as { expand?: string[] };
    try {
      return expand(context, run(context, params as never, id, innerId), params.expand ?? []);
    } catch (error) {
      if (error instanceof StripeFault) error.isExecuted = true;
      throw error;
    }
  }
  throw new StripeFault(404, `Unrecognized request URL (${call.method}: ${call.path}).`);
}
