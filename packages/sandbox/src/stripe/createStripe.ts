import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readForm } from "../readForm.ts";
import { answerApiCall } from "./answerApiCall.ts";
import { dropOverduePending } from "./changePrice.ts";
import { expireOverdueSessions } from "./checkout.ts";
import { answerPage } from "./pages/answerPage.ts";
import { Store } from "./Store.ts";
import { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";
import { WebhookDeliveries } from "./WebhookDeliveries.ts";
import { createEndpoint } from "./webhooks.ts";

const expiryCheckIntervalMs = 5000;

export interface StripeOptions {
  /** the origin of the stand-in */
  origin: string;
  /** where the objects are stored; without it they are kept in memory only */
  file: string | undefined;
  /** a webhook endpoint for this address, which receives all events, is created at the first start */
  webhookUrl: string;
}

/** Stripe's API and hosted pages. The secrets are generated at the first start and stored with the objects. */
export function createStripe({ origin, file, webhookUrl }: StripeOptions) {
  const store = new Store(file);
  const context = new StripeContext(store, origin);
  const deliveries = new WebhookDeliveries(context);
  const { apiKey, webhookSecret } = store.transaction(() => openAccount(context, webhookUrl));
  const timer = setInterval(() => {
    store.transaction(() => {
      expireOverdueSessions(context);
      dropOverduePending(context);
    });
    deliveries.run();
  }, expiryCheckIntervalMs).unref();
  deliveries.run();

  return {
    apiKey,
    webhookSecret,
    handle: (request: IncomingMessage, response: ServerResponse) => {
      handle(context, request, response)
        .then(() => deliveries.run())
        .catch((error) => {
          console.error(error);
          if (!response.headersSent) response.writeHead(500);
          response.end();
        });
    },
    stop: () => {
      clearInterval(timer);
      deliveries.stop();
    },
  };
}

function openAccount(context: StripeContext, webhookUrl: string) {
  const { store } = context;
  const account =
    store.find("_account", "_account") ??
    store.put({ id: "_account", object: "_account", apiKey: `sk_test_sandbox${randomBytes(24).toString("hex")}` });
  const endpoint =
    store.all("webhook_endpoint").find(({ url }) => url === webhookUrl) ??
    createEndpoint(context, { url: webhookUrl, enabled_events: ["*"] });
  return { apiKey: account.apiKey, webhookSecret: endpoint.secret ?? "" };
}

async function handle(context: StripeContext, request: IncomingMessage, response: ServerResponse) {
  const { pathname, search } = new URL(request.url ?? "/", context.origin);
  const method = request.method ?? "GET";
  const form = method === "POST" ? await readForm(request) : search.slice(1);
  if (!pathname.startsWith("/v1/"))
    return sendPage(context, request, response, pathname, method === "POST" ? form : undefined);
  const { status, headers, body } = answerApiCall(context, {
    method,
    path: pathname,
    form,
    authorization: request.headers.authorization,
    version: request.headers["stripe-version"]?.toString(),
    idempotencyKey: request.headers["idempotency-key"]?.toString(),
  });
  response.writeHead(status, headers).end(body);
}

function sendPage(
  context: StripeContext,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  form: string | undefined,
) {
  // CSRF: only the stand-in's own pages may submit a form.
  const isForeign = form !== undefined && (request.headers.origin ?? context.origin) !== context.origin;
  try {
    const shown = isForeign
      ? undefined
      : answerPage(context, path, form === undefined ? undefined : new URLSearchParams(form));
    if (!shown) response.writeHead(404).end();
    else if ("location" in shown) response.writeHead(303, { location: shown.location }).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(shown.html);
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    response.writeHead(error.status, { "content-type": "text/plain; charset=utf-8" }).end(error.message);
  }
}
