import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readForm } from "../readForm.ts";
import { answer } from "./answer.ts";
import { Books } from "./Books.ts";
import { expireOverdueSessions } from "./checkout.ts";
import { Deliveries } from "./Deliveries.ts";
import { answerPage } from "./pages/pages.ts";
import { Store } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";
import { createEndpoint } from "./webhooks.ts";

const expireEvery = 5000;

export interface StripeOptions {
  /** where the stand-in answers */
  origin: string;
  /** where its objects are kept; without it they go with the process */
  file: string | undefined;
  /** told of everything that happens, from the first start on */
  webhookUrl: string;
}

/** Stripe's API and hosted pages. Secrets are made on the first start and kept with the objects. */
export function createStripe({ origin, file, webhookUrl }: StripeOptions) {
  const store = new Store(file);
  const books = new Books(store, origin);
  const deliveries = new Deliveries(books);
  const { apiKey, webhookSecret } = store.transaction(() => openAccount(books, webhookUrl));
  const clock = setInterval(() => {
    store.transaction(() => expireOverdueSessions(books));
    deliveries.run();
  }, expireEvery).unref();
  deliveries.run();

  return {
    apiKey,
    webhookSecret,
    handle: (request: IncomingMessage, response: ServerResponse) => {
      handle(books, request, response)
        .then(() => deliveries.run())
        .catch((error) => {
          console.error(error);
          if (!response.headersSent) response.writeHead(500);
          response.end();
        });
    },
    stop: () => {
      clearInterval(clock);
      deliveries.stop();
    },
  };
}

function openAccount(books: Books, webhookUrl: string) {
  const { store } = books;
  const account =
    store.find("_account", "_account") ??
    store.put({ id: "_account", object: "_account", apiKey: `sk_test_sandbox${randomBytes(24).toString("hex")}` });
  const endpoint =
    store.all("webhook_endpoint").find(({ url }) => url === webhookUrl) ??
    createEndpoint(books, { url: webhookUrl, enabled_events: ["*"] });
  return { apiKey: account.apiKey, webhookSecret: endpoint.secret ?? "" };
}

async function handle(books: Books, request: IncomingMessage, response: ServerResponse) {
  const { pathname, search } = new URL(request.url ?? "/", books.origin);
  const method = request.method ?? "GET";
  const form = method === "POST" ? await readForm(request) : search.slice(1);
  if (!pathname.startsWith("/v1/"))
    return sendPage(books, request, response, pathname, method === "POST" ? form : undefined);
  const { status, headers, body } = answer(books, {
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
  books: Books,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  form: string | undefined,
) {
  // CSRF: only the stand-in's own pages may submit a form.
  const isForeign = form !== undefined && (request.headers.origin ?? books.origin) !== books.origin;
  try {
    const shown = isForeign
      ? undefined
      : answerPage(books, path, form === undefined ? undefined : new URLSearchParams(form));
    if (!shown) response.writeHead(404).end();
    else if ("location" in shown) response.writeHead(303, { location: shown.location }).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(shown.html);
  } catch (error) {
    if (!(error instanceof StripeFault)) throw error;
    response.writeHead(error.status, { "content-type": "text/plain; charset=utf-8" }).end(error.message);
  }
}
