import type { PlanChangeResult, PlanPage, PlanQuote, UpcomingInvoices } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { requireSession } from "../../auth/requireSession.ts";
import type { Sessions } from "../../auth/sessions.ts";
import { idParams } from "../../http/idParams.ts";
import type { Billing } from "../Billing.ts";
import { callProvider } from "../callProvider.ts";
import { findAllUpcoming } from "../findUpcoming.ts";
import { changePlan } from "./changePlan.ts";
import { quotePlanChange } from "./quotePlanChange.ts";
import { readPlanPage } from "./readPlanPage.ts";

const plan = z.string().max(255);

export function planRoutes(scope: FastifyInstance, billing: Billing, sessions: Sessions) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preValidation = requireSession(sessions);
  const config = { rateLimit: "billingReads" } as const;

  app.get(
    "/billing/plan/:id",
    { schema: { params: idParams }, preValidation, config },
    ({ session, params }): Promise<PlanPage> =>
      callProvider(billing, () => readPlanPage(billing, session.userId, params.id)),
  );

  app.get(
    "/billing/upcoming",
    { preValidation, config },
    ({ session }): Promise<UpcomingInvoices> => callProvider(billing, () => findAllUpcoming(billing, session.userId)),
  );

  app.post(
    "/billing/plan/:id/quote",
    { schema: { params: idParams, body: z.strictObject({ plan }) }, preValidation, config },
    ({ session, params, body }): Promise<PlanQuote> =>
      callProvider(billing, () => quotePlanChange(billing, session.userId, params.id, body.plan)),
  );

  app.post(
    "/billing/plan/:id",
    {
      schema: { params: idParams, body: z.strictObject({ plan, at: z.int().positive() }) },
      preValidation,
      config: { rateLimit: "checkout" },
    },
    ({ session, params, body }): Promise<PlanChangeResult> =>
      callProvider(billing, () => changePlan(billing, session, params.id, body)),
  );
}
