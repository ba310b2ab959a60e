import { randomBytes } from "node:crypto";
import { z } from "zod";
import { listing, mergeMetadata, metadata, since, takes, text } from "./parameters.ts";
import { isWithin, page, passes, type Route, readRoutes, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { apiVersion, type StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

const endpointFields = {
  url: text,
  enabled_events: z.array(text).min(1),
  api_version: z.literal(apiVersion).optional(),
  description: text.optional(),
  metadata: metadata.optional(),
};

export const webhookRoutes: Route[] = [
  route("POST", "/v1/webhook_endpoints", takes(endpointFields), (context, params) => {
    const { secret, ...shown } = createEndpoint(context, params);
    // Only the response to the creation includes the secret. It is stored for signing.
    return { ...shown, secret };
  }),
  route("GET", "/v1/webhook_endpoints", takes(listing), (context, params) => {
    const shown = context.store.all("webhook_endpoint").map(({ secret: _secret, ...endpoint }) => endpoint);
    return page(shown, "/v1/webhook_endpoints", params);
  }),
  route("GET", "/v1/webhook_endpoints/:id", takes({}), (context, _params, id) => {
    const { secret: _secret, ...shown } = context.store.get("webhook_endpoint", id);
    return shown;
  }),
  route("DELETE", "/v1/webhook_endpoints/:id", takes({}), ({ store }, _params, id) => {
    store.remove(store.get("webhook_endpoint", id).id);
    return { id, object: "webhook_endpoint" as const, deleted: true as const };
  }),
  ...readRoutes(
    "event",
    "/v1/events",
    { type: text.optional(), types: z.array(text).max(20).optional(), created: since.optional() },
    (event, { type, types, created }) =>
      passes(event.type, type) && (types?.includes(event.type) ?? true) && isWithin(event.created, created),
  ),
];

export function createEndpoint(context: StripeContext, params: z.output<z.ZodObject<typeof endpointFields>>) {
  if (!URL.canParse(params.url)) throw new StripeFault(400, "Invalid URL", { code: "url_invalid", param: "url" });
  return context.store.put({
    id: newId("we"),
    object: "webhook_endpoint",
    api_version: params.api_version ?? null,
    application: null,
    created: now(),
    description: params.description ?? null,
    enabled_events: params.enabled_events,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    secret: `whsec_${randomBytes(24).toString("hex")}`,
    status: "enabled",
    url: params.url,
  });
}
