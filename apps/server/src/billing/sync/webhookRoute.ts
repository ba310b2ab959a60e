import type { FastifyInstance } from "fastify";
import { AppError } from "../../platform/AppError.ts";
import type { Billing } from "../Billing.ts";
import { receiveEvent } from "./receiveEvent.ts";

export const webhookPath = "/billing/webhook";

/** Takes the provider's events. What is answered 200 is in the database; everything else is sent again. */
export async function webhookRoute(app: FastifyInstance, billing: Billing) {
  // The signature is over the bytes as they came.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  app.post(webhookPath, { bodyLimit: 1024 * 1024 }, async ({ body, headers, log }) => {
    const signature = headers["stripe-signature"];
    if (!Buffer.isBuffer(body) || typeof signature !== "string") throw new AppError("error_invalid_input");
    const event = await billing.stripe.webhooks
      .constructEventAsync(body, signature, billing.webhookSecret)
      .catch((error: Error) => {
        log.warn({ err: error }, "an event was refused");
        throw new AppError("error_invalid_input");
      });
    await billing.db.transaction((tx) => receiveEvent(tx, event));
    return { received: true };
  });
}
