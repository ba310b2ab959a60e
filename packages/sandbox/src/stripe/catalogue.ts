import { z } from "zod";
import { currency, flag, integer, mergeMetadata, metadata, positive, takes, text, unsettable } from "./parameters.ts";
import { passes, type Route, readRoutes, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

const feature = z.strictObject({ name: text });
const productFields = {
  active: flag.optional(),
  description: unsettable.optional(),
  marketing_features: z.array(feature).optional(),
  metadata: metadata.optional(),
};

export const catalogueRoutes: Route[] = [
  route("POST", "/v1/products", takes({ id: text.optional(), name: text, ...productFields }), (context, params) => {
    if (params.id && context.store.find("product", params.id))
      throw new StripeFault(400, `Product already exists: ${params.id}`, { code: "resource_already_exists" });
    const created = now();
    const product = context.store.put({
      id: params.id ?? newId("prod"),
      object: "product",
      active: params.active ?? true,
      created,
      default_price: null,
      description: params.description ?? null,
      images: [],
      livemode: false,
      marketing_features: params.marketing_features ?? [],
      metadata: mergeMetadata({}, params.metadata),
      name: params.name,
      package_dimensions: null,
      shippable: null,
      statement_descriptor: null,
      tax_code: null,
      tax_details: null,
      type: "service",
      unit_label: null,
      updated: created,
      url: null,
    });
    context.emit("product.created", product);
    return product;
  }),
  route("POST", "/v1/products/:id", takes({ name: text.optional(), ...productFields }), (context, params, id) => {
    const old = context.store.get("product", id);
    const product = context.store.put({
      ...old,
      active: params.active ?? old.active,
      description: params.description === undefined ? old.description : params.description,
      marketing_features: params.marketing_features ?? old.marketing_features,
      metadata: mergeMetadata(old.metadata, params.metadata),
      name: params.name ?? old.name,
      updated: now(),
    });
    context.emit("product.updated", product);
    return product;
  }),
  ...readRoutes(
    "product",
    "/v1/products",
    { active: flag.optional(), ids: z.array(text).optional() },
    (product, { active, ids }) => passes(product.active, active) && (ids?.includes(product.id) ?? true),
  ),

  route(
    "POST",
    "/v1/prices",
    takes({
      product: text,
      currency,
      unit_amount: integer.pipe(z.number().min(0).max(99_999_999)),
      recurring: z
        .strictObject({ interval: z.enum(["day", "week", "month", "year"]), interval_count: positive.optional() })
        .optional(),
      lookup_key: text.optional(),
      tax_behavior: z.enum(["exclusive", "inclusive", "unspecified"]).optional(),
      nickname: text.optional(),
      active: flag.optional(),
      metadata: metadata.optional(),
    }),
    (context, params) => {
      context.store.get("product", params.product, "product");
      const taken = context.store.all("price").find(({ lookup_key: key }) => key && key === params.lookup_key);
      if (taken)
        throw new StripeFault(400, `A price (\`${taken.id}\`) already uses that lookup key.`, { param: "lookup_key" });
      const price = context.store.put({
        id: newId("price"),
        object: "price",
        active: params.active ?? true,
        billing_scheme: "per_unit",
        created: now(),
        currency: params.currency,
        custom_unit_amount: null,
        livemode: false,
        lookup_key: params.lookup_key ?? null,
        metadata: mergeMetadata({}, params.metadata),
        nickname: params.nickname ?? null,
        product: params.product,
        recurring: params.recurring
          ? {
              interval: params.recurring.interval,
              interval_count: params.recurring.interval_count ?? 1,
              meter: null,
              trial_period_days: null,
              usage_type: "licensed",
            }
          : null,
        tax_behavior: params.tax_behavior ?? "unspecified",
        tiers_mode: null,
        transform_quantity: null,
        type: params.recurring ? "recurring" : "one_time",
        unit_amount: params.unit_amount,
        unit_amount_decimal: String(params.unit_amount),
      });
      context.emit("price.created", price);
      return price;
    },
  ),
  route(
    "POST",
    "/v1/prices/:id",
    takes({ active: flag.optional(), lookup_key: unsettable.optional(), metadata: metadata.optional() }),
    (context, params, id) => {
      const old = context.store.get("price", id);
      const price = context.store.put({
        ...old,
        active: params.active ?? old.active,
        lookup_key: params.lookup_key === undefined ? old.lookup_key : params.lookup_key,
        metadata: mergeMetadata(old.metadata, params.metadata),
      });
      context.emit("price.updated", price);
      return price;
    },
  ),
  ...readRoutes(
    "price",
    "/v1/prices",
    {
      active: flag.optional(),
      type: z.enum(["recurring", "one_time"]).optional(),
      product: text.optional(),
      recurring: z.strictObject({ interval: text.optional() }).optional(),
      lookup_keys: z.array(text).optional(),
    },
    (price, { active, type, product, recurring, lookup_keys: keys }) =>
      passes(price.active, active) &&
      passes<string>(price.type, type) &&
      passes<unknown>(price.product, product) &&
      passes<string | undefined>(price.recurring?.interval, recurring?.interval) &&
      (keys === undefined || keys.includes(price.lookup_key ?? "")),
  ),
];
