import formbody from "@fastify/formbody";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { AppError } from "../platform/AppError.ts";
import type { Mail } from "./Mail.ts";
import { muteTopic } from "./queries.ts";
import { unsubscribePath } from "./unsubscribe.ts";

const params = z.object({ token: z.string().max(200) });

/** Turns a kind of message off. Mail programs call it themselves (RFC 8058), so it needs no session and no origin. */
export async function unsubscribeRoutes(scope: FastifyInstance, mail: Mail, changed: (userId: string) => void) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  await app.register(formbody);
  const config = { rateLimit: "unsubscribe" } as const;

  app.get(`${unsubscribePath}/:token`, { schema: { params }, config }, async (request, reply) => {
    const page = new URL("/unsubscribe", mail.appUrl);
    page.searchParams.set("token", request.params.token);
    return reply.redirect(page.href);
  });

  app.post(`${unsubscribePath}/:token`, { schema: { params }, config }, async (request) => {
    const link = mail.unsubscribe.read(request.params.token);
    const isMuted = link && (await mail.db.transactionOf(link.userId, (tx) => muteTopic(tx, link.userId, link.topic)));
    if (!isMuted) throw new AppError("error_link_invalid");
    changed(link.userId);
    return { topic: link.topic };
  });
}
