import type { FastifyInstance } from "fastify";
import { Webhook } from "standardwebhooks";
import { z } from "zod";
import { AppError } from "../platform/AppError.ts";
import type { Mail } from "./Mail.ts";
import { suppress } from "./queries.ts";

const event = z.object({
  type: z.string(),
  data: z.object({
    to: z.array(z.email()).max(50),
    bounce: z.object({ type: z.string() }).optional(),
  }),
});
const header = z.string();

/** Reports of the mail provider about messages that it had accepted. Signed as in the Standard Webhooks specification. */
export function bounceRoute(app: FastifyInstance, { db, webhookSecret }: Mail) {
  if (!webhookSecret) return;
  const webhook = new Webhook(webhookSecret);
  // The signature is of the bytes as they were sent.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));

  app.post("/mail/webhook", async ({ headers, body }) => {
    const report = event.safeParse(verify(String(body), headers));
    if (!report.success) return { ok: true }; // another kind of event
    const { type, data } = report.data;
    const isBounce = type === "email.bounced" && data.bounce?.type !== "Transient";
    const reason = isBounce ? "bounced" : type === "email.complained" ? "complained" : undefined;
    if (reason) for (const address of data.to) await suppress(db, { address, reason });
    return { ok: true };
  });

  function verify(body: string, headers: Record<string, unknown>): unknown {
    const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    const signed = names.map((name) => [
      name,
      header.catch("").parse(headers[name] ?? headers[name.replace("webhook", "svix")]),
    ]);
    try {
      return webhook.verify(body, Object.fromEntries(signed));
    } catch (cause) {
      throw new AppError("error_foreign_origin", { cause });
    }
  }
}
