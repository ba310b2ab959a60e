import type { FastifyInstance } from "fastify";
import { limitBodyTime } from "../../http/limitBodyTime.ts";
import { AppError } from "../../platform/AppError.ts";
import type { Billing } from "../Billing.ts";
import { receiveEvent } from "./receiveEvent.ts";

export const webhookPath = "/billing/webhook";

/** The provider's webhook. It answers 200 once the event is stored. After any other answer the provider retries. */
export async function webhookRoute(app: FastifyInstance, billing: Billing) {
  // The signature is computed over the raw bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  app.post(webhookPath, { bodyLimit: 1024 * 1024, onRequest: limitBodyTime }, async ({ body, headers, log }) => {
    const signature = headers["stripe-signature"];
    if (!Buffer.isBuffer(body) || typeof signature !== "string") throw new AppError("error_invalid_input");
    const event = await billing.stripe.webhooks
      .constructEventAsync(body, signature, billing.webhookSecret)
      .catch((error: Error) => {
        log.warn({ err: error }, "could not verify a webhook event");
        throw new AppError("error_invalid_input");
      });
    await billing.db.transaction((tx) => receiveEvent(tx, event));
    return { received: true };
  });
}
