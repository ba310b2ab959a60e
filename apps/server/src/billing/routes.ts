import { type CheckoutStatus, categories, type ErrorKey, type InvoicePage, isErrorKey } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findUser } from "../account/queries.ts";
import { findSession, requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import { idParams } from "../http/idParams.ts";
import { AppError } from "../platform/AppError.ts";
import type { Billing } from "./Billing.ts";
import { callProvider } from "./callProvider.ts";
import { checkoutSchema } from "./checkout/checkoutSchema.ts";
import { cancelledPath, resumePath, successPath } from "./checkout/checkoutUrls.ts";
import { offersFor } from "./checkout/offersFor.ts";
import { openCheckout } from "./checkout/openCheckout.ts";
import { findLatestCheckout, findOwnCheckout, markAbandoned } from "./checkout/queries.ts";
import { findCards } from "./findCards.ts";
import { findInvoices } from "./findInvoices.ts";
import { findReceipt } from "./findReceipt.ts";
import { openPortal } from "./openPortal.ts";
import { hasRefundedPurchase } from "./refunds/queries.ts";

export function billingRoutes(scope: FastifyInstance, billing: Billing, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const guard = requireSession(sessions);

  const querystring = z.object({ recipe_category: z.enum(categories) });
  app.get("/billing/products", { schema: { querystring } }, async (request) => {
    const offers = await callProvider(billing, () => billing.catalogue.byInterval(request.query.recipe_category));
    return offersFor(billing.db, (await findSession(request, sessions))?.userId, offers);
  });

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
      if (checkout.state === "paid" || checkout.state === "processing")
        return reply.redirect(successPath(checkout), 303);
      await markAbandoned(billing.db, checkout.id);
      return reply.redirect(resumePath(checkout), 303);
    },
  );

  app.get(
    "/billing/checkout/:name",
    {
      schema: { params: z.object({ name: z.string().max(60) }) },
      preValidation: guard,
      config: { rateLimit: "billingReads" },
    },
    async ({ session, params }): Promise<CheckoutStatus> => {
      const checkout = await findLatestCheckout(billing.db, session.userId, params.name);
      if (!checkout) return { state: "none" };
      const { state } = checkout;
      if (state !== "expired") return { state, resume: resumePath(checkout) };
      if (await hasRefundedPurchase(billing.db, session.userId, params.name, checkout.createdAt))
        return { state: "refunded" };
      return { state: checkout.processingSince ? "unpaid" : state, resume: resumePath(checkout) };
    },
  );

  app.get("/billing/cards", { preValidation: guard, config: { rateLimit: "billingReads" } }, async ({ session }) => {
    const user = await findUser(billing.db, session.userId);
    return user?.providerId ? callProvider(billing, () => findCards(billing, user.providerId as string)) : {};
  });

  app.get(
    "/billing/invoices",
    {
      schema: { querystring: z.object({ after: z.string().max(100).optional() }) },
      preValidation: guard,
      config: { rateLimit: "billingReads" },
    },
    async ({ session, query }): Promise<InvoicePage> => {
      const customer = (await findUser(billing.db, session.userId))?.providerId;
      return customer ? callProvider(billing, () => findInvoices(billing, customer, query.after)) : { invoices: [] };
    },
  );

  // Opened by a link, in a new tab: the provider's page of the project's latest invoice.
  app.get(
    "/billing/receipt/:id",
    { schema: { params: idParams }, config: { rateLimit: "billingReads" } },
    async (request, reply) => {
      const session = await findSession(request, sessions);
      const url = session && (await findReceipt(billing, session.userId, request.params.id));
      // It is a page for the customer in any case: the tab with all their products, or the sign-in.
      return reply.redirect(url ?? "/settings?tab=products", 303);
    },
  );

  app.post("/billing/portal", { preValidation: guard, config: { rateLimit: "billingPortal" } }, async ({ session }) => {
    const user = await findUser(billing.db, session.userId);
    if (!user) throw new AppError("error_portal_none");
    return callProvider(billing, () => openPortal(billing, user));
  });
}

function keyOf({ issues: [issue] }: z.ZodError): ErrorKey {
  return isErrorKey(issue?.message) ? issue.message : "error_invalid_input";
}
