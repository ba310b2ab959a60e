import { categories, type ErrorKey, isErrorKey } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { Stripe } from "stripe";
import { z } from "zod";
import { findUser } from "../account/queries.ts";
import { findSession, requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import { AppError } from "../platform/AppError.ts";
import type { Billing } from "./Billing.ts";
import { checkoutSchema } from "./checkout/checkoutSchema.ts";
import { cancelledPath, resumePath, successPath } from "./checkout/checkoutUrls.ts";
import { openCheckout } from "./checkout/openCheckout.ts";
import { findOwnCheckout, markAbandoned } from "./checkout/queries.ts";

export function billingRoutes(scope: FastifyInstance, billing: Billing, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const guard = requireSession(sessions);

  const querystring = z.object({ recipe_category: z.enum(categories) });
  app.get("/billing/products", { schema: { querystring } }, ({ query }) =>
    callProvider(billing, () => billing.catalogue.byInterval(query.recipe_category)),
  );

  app.post(
    "/billing/session/:planId",
    {
      schema: { params: z.object({ planId: z.string().max(255) }) },
      preValidation: guard,
      config: { rateLimit: "checkout" },
    },
    ({ session, params, body }) => {
      const input = checkoutSchema.safeParse(body);
      if (!input.success) throw new AppError(keyOf(input.error));
      return callProvider(billing, () => openCheckout(billing, session, params.planId, input.data));
    },
  );

  // The provider's payment page links here for customers who turn back, so cross-site requests are allowed.
  app.get(
    cancelledPath(":id"),
    { schema: { params: z.object({ id: z.string() }) }, config: { allowCrossSite: true } },
    async (request, reply) => {
      const session = await findSession(request, sessions);
      const checkout = session && (await findOwnCheckout(billing.db, session.userId, request.params.id));
      if (!checkout) return reply.redirect("/", 303);
      if (checkout.state === "paid") return reply.redirect(successPath(checkout), 303);
      await markAbandoned(billing.db, checkout.id);
      return reply.redirect(resumePath(checkout), 303);
    },
  );

  app.post("/billing/portal", { preValidation: guard, config: { rateLimit: "billingPortal" } }, async ({ session }) => {
    const user = await findUser(billing.db, session.userId);
    if (!user?.providerId) throw new AppError("error_portal_none");
    const { providerId: customer, lang: locale } = user;
    const return_url = new URL("/settings?tab=products", billing.config.APP_URL).href;
    const { url } = await callProvider(billing, () =>
      billing.stripe.billingPortal.sessions.create({ customer, return_url, locale }),
    );
    return { url };
  });
}

/** Turns an error of the provider into an AppError. Any other error is a bug of ours. */
async function callProvider<Answer>({ log }: Billing, call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    log.error({ err: error }, "a request to the payment provider failed");
    throw new AppError("error_payment_unavailable");
  }
}

function keyOf({ issues: [issue] }: z.ZodError): ErrorKey {
  return isErrorKey(issue?.message) ? issue.message : "error_invalid_input";
}
