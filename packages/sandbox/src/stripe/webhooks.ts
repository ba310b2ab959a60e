import { randomBytes } from "node:crypto";
import { z } from "zod";
import { apiVersion, type Books } from "./Books.ts";
import { listing, mergeMetadata, metadata, since, takes, text } from "./parameters.ts";
import { is, isWithin, page, type Route, reads, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

const endpointFields = {
  url: text,
  enabled_events: z.array(text).min(1),
  api_version: z.literal(apiVersion).optional(),
  description: text.optional(),
  metadata: metadata.optional(),
};

export const webhookRoutes: Route[] = [
  route("POST", "/v1/webhook_endpoints", takes(endpointFields), (books, params) => {
    const { secret, ...shown } = createEndpoint(books, params);
    // Said once, in this answer; kept for signing.
    return { ...shown, secret };
  }),
  route("GET", "/v1/webhook_endpoints", takes(listing), (books, params) => {
    const shown = books.store.all("webhook_endpoint").map(({ secret: _secret, ...endpoint }) => endpoint);
    return page(shown, "/v1/webhook_endpoints", params);
  }),
  route("GET", "/v1/webhook_endpoints/:id", takes({}), (books, _params, id) => {
    const { secret: _secret, ...shown } = books.store.get("webhook_endpoint", id);
    return shown;
  }),
  ...reads(
    "event",
    "/v1/events",
    { type: text.optional(), types: z.array(text).max(20).optional(), created: since.optional() },
    (event, { type, types, created }) =>
      is(event.type, type) && (types?.includes(event.type) ?? true) && isWithin(event.created, created),
  ),
];

export function createEndpoint(books: Books, params: z.output<z.ZodObject<typeof endpointFields>>) {
  if (!URL.canParse(params.url)) throw new StripeFault(400, "Invalid URL", { code: "url_invalid", param: "url" });
  return books.store.put({
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
