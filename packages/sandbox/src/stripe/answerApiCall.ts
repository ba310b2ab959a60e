import { createHash } from "node:crypto";
import { catalogueRoutes } from "./catalogue.ts";
import { checkoutRoutes } from "./checkout.ts";
import { customerRoutes } from "./customers.ts";
import { expand } from "./expand.ts";
import { invoiceRoutes } from "./invoices.ts";
import { parseParameters } from "./parameters.ts";
import { parseForm } from "./parseForm.ts";
import { paymentRoutes } from "./payments.ts";
import { portalRoutes } from "./portal.ts";
import { promotionRoutes } from "./promotions.ts";
import { newId } from "./Store.ts";
import { apiVersion, type StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { webhookRoutes } from "./webhooks.ts";

const routes = [
  ...catalogueRoutes,
  ...customerRoutes,
  ...promotionRoutes,
  ...checkoutRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...paymentRoutes,
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
    if (call.version !== undefined && call.version !== apiVersion)
      throw new StripeFault(400, `Invalid Stripe API version: ${call.version}`);
    return context.store.transaction(() => {
      const known = call.method === "POST" ? replay(context, call) : undefined;
      if (known) return { ...known, headers: { ...headers, "idempotent-replayed": "true" } };
      context.request = { id, idempotency_key: call.idempotencyKey ?? null };
      const body = JSON.stringify(perform(context, call), null, 2);
      if (call.method === "POST" && call.idempotencyKey) {
        context.store.put({
          id: `_answer_${call.idempotencyKey}`,
          object: "_answer",
          fingerprint: fingerprint(call),
          status: 200,
          body,
        });
      }
      return { status: 200, headers, body };
    });
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    return { status: error.status, headers, body: JSON.stringify(error.body, null, 2) };
  } finally {
    context.request = null;
  }
}

function requireKey({ store }: StripeContext, authorization = "") {
  const key = authorization.replace(/^Bearer /, "");
  if (key === store.find("_account", "_account")?.apiKey) return;
  throw new StripeFault(401, `Invalid API Key provided: ${key.slice(0, 7)}****`);
}

/** The stored response for this idempotency key. The response to a failed call is not stored. */
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
    return expand(context, run(context, params as never, id, innerId), params.expand ?? []);
  }
  throw new StripeFault(404, `Unrecognized request URL (${call.method}: ${call.path}).`);
}
