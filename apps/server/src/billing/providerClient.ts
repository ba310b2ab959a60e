import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { callTimeoutMs } from "@nido/contract";
import { Stripe } from "stripe";

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;
type Response = Awaited<ReturnType<HttpClient["makeRequest"]>>;

const maxRepeats = 2;
const maxRetryAfterMs = 5000;
/** If the provider completes a call after the browser has given up, the customer's next attempt finds it. */
export const maxProviderMs = callTimeoutMs - 5000;

const deadlines = new AsyncLocalStorage<number>();

/** Runs `work` with one deadline for all its calls to the provider. A call that exceeds it fails with a timeout. */
export function withinTime<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
  return deadlines.run(Date.now() + milliseconds, work);
}

/** Waits for work that several callers share, and that has its own deadline, until that of this caller. */
export async function untilDeadline<Result>(shared: Promise<Result>): Promise<Result> {
  const deadline = deadlines.getStore();
  if (deadline === undefined) return shared;
  return before(deadline, () => shared).catch((error) => {
    if (error.code !== timeoutCode) throw error;
    throw new Stripe.errors.StripeConnectionError({ message: error.message });
  });
}

/**
 * The HTTP client of the official SDK, with three additions. It retries rate-limited calls after the requested
 * delay. It obeys `withinTime`. It rejects JSON that is not an API object: the SDK would accept it, and a bare string or
 * number, which a proxy may send, would end the process with an unhandled rejection.
 */
export function createProviderClient(inner: HttpClient): HttpClient {
  const makeRequest: HttpClient["makeRequest"] = async (host, port, path, method, headers, data, protocol, timeout) => {
    const deadline = deadlines.getStore() ?? Number.POSITIVE_INFINITY;
    for (let repeats = 0; ; repeats++) {
      const end = Math.min(deadline, Date.now() + timeout);
      const response = await before(end, () =>
        inner.makeRequest(host, port, path, method, headers, data, protocol, Math.max(end - Date.now(), 1)),
      );
      const delay = retryDelay(response);
      if (delay === undefined || repeats === maxRepeats || Date.now() + delay > deadline) return checked(response, end);
      abandon(response);
      await pause(delay);
    }
  };
  return { getClientName: () => inner.getClientName(), makeRequest };
}

/** In milliseconds; undefined unless the provider answered 429 (rate limit). The SDK repeats some of these itself. */
function retryDelay(response: Response): number | undefined {
  const headers = response.getHeaders();
  if (response.getStatusCode() !== 429 || headers["stripe-should-retry"] === "true") return undefined;
  const seconds = Number(headers["retry-after"] ?? 1);
  return Math.min(Number.isFinite(seconds) ? seconds * 1000 : 1000, maxRetryAfterMs);
}

function checked(response: Response, end: number): Response {
  const read = response.toJSON.bind(response);
  response.toJSON = async () => {
    const body: unknown = await before(end, read).catch((error) => {
      abandon(response);
      throw error;
    });
    if (!isApiObject(body, response.getStatusCode()))
      throw new Error(
        `the payment provider answered ${response.getStatusCode()} with something other than an API object`,
      );
    return body;
  };
  return response;
}

/** Closes the connection of a response that nobody reads any further. */
function abandon(response: Response) {
  const raw = response.getRawResponse() as IncomingMessage;
  raw.on("error", () => undefined).destroy();
}

function isApiObject(body: unknown, status: number): boolean {
  if (typeof body !== "object" || body === null) return false;
  const { error, object } = body as { error?: unknown; object?: unknown };
  return status < 400 ? !error && typeof object === "string" : typeof error === "object" && error !== null;
}

async function before<Result>(end: number, work: () => Promise<Result>): Promise<Result> {
  const milliseconds = end - Date.now();
  if (milliseconds <= 0) throw timeoutError();
  // The socket's own timeout starts again with each byte.
  const isOver = new AbortController();
  const timeout = pause(milliseconds, undefined, { signal: isOver.signal, ref: false }).then(() => {
    throw timeoutError();
  });
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    isOver.abort();
    timeout.catch(() => undefined);
  }
}

/** The SDK recognises a timeout by it. */
const timeoutCode = "ETIMEDOUT";

function timeoutError() {
  return Object.assign(new TypeError("the payment provider did not answer in time"), { code: timeoutCode });
}
