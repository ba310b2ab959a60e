import { takes, text } from "./parameters.ts";
import { type Route, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

export const portalRoutes: Route[] = [
  route(
    "POST",
    "/v1/billing_portal/sessions",
    takes({ customer: text, return_url: text.optional(), locale: text.optional() }),
    (context, params) => {
      context.store.get("customer", params.customer, "customer");
      if (context.store.find("_account", "_account")?.hasNoPortal)
        throw new StripeFault(
          400,
          "No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.",
        );
      const id = newId("bps");
      const session = context.store.put({
        id,
        object: "billing_portal.session",
        after_expiration: null,
        configuration: "bpc_sandbox",
        created: now(),
        customer: params.customer,
        customer_account: null,
        flow: null,
        livemode: false,
        locale: params.locale ?? null,
        on_behalf_of: null,
        return_url: params.return_url ?? null,
        url: `${context.origin}/stripe/portal/${id}`,
      });
      context.emit("billing_portal.session.created", session);
      return session;
    },
  ),
];
