import { z } from "zod";
import type { Objects } from "./objects.ts";
import { listing, mergeMetadata, metadata, takes, text, unsettable } from "./parameters.ts";
import { page, passes, type Route, readRoutes, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

const addressFields = ["line1", "line2", "city", "state", "postal_code", "country"] as const;
const address = z.union([
  z.strictObject(Object.fromEntries(addressFields.map((name) => [name, unsettable.optional()]))),
  z.literal("").transform(() => null),
]);
const fields = {
  email: unsettable.optional(),
  name: unsettable.optional(),
  phone: z
    .string()
    .max(20)
    .transform((value) => value || null)
    .optional(),
  description: unsettable.optional(),
  address: address.optional(),
  preferred_locales: z.array(text).optional(),
  metadata: metadata.optional(),
};

export const customerRoutes: Route[] = [
  route("POST", "/v1/customers", takes(fields), (context, params) => {
    const id = newId("cus");
    const customer: Objects["customer"] = {
      id,
      object: "customer",
      address: null,
      balance: 0,
      created: now(),
      currency: null,
      default_source: null,
      delinquent: false,
      description: null,
      discount: null,
      email: null,
      invoice_prefix: id.slice(-8).toUpperCase(),
      invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
      livemode: false,
      metadata: {},
      name: null,
      next_invoice_sequence: 1,
      phone: null,
      preferred_locales: [],
      shipping: null,
      tax_exempt: "none",
      test_clock: null,
    };
    const created = context.store.put(withChanges(customer, params));
    context.emit("customer.created", created);
    return created;
  }),
  route("POST", "/v1/customers/:id", takes(fields), (context, params, id) => {
    const customer = context.store.put(withChanges(context.store.get("customer", id), params));
    context.emit("customer.updated", customer);
    return customer;
  }),
  route("DELETE", "/v1/customers/:id", takes({}), (context, _params, id) => {
    const customer = context.store.get("customer", id);
    context.store.remove(id);
    context.emit("customer.deleted", customer);
    return { id, object: "customer", deleted: true };
  }),
  ...readRoutes("customer", "/v1/customers", { email: text.optional() }, (customer, { email }) =>
    passes(customer.email, email),
  ),

  route("POST", "/v1/customers/:id/tax_ids", takes({ type: text, value: text }), (context, { type, value }, id) => {
    context.store.get("customer", id);
    if (!isPlausible(type, value))
      throw new StripeFault(400, `Invalid value for ${type}.`, { code: "tax_id_invalid", param: "value" });
    const taxId = context.store.put({
      id: newId("txi"),
      object: "tax_id",
      country: type === "eu_vat" ? value.slice(0, 2) : type.slice(0, 2).toUpperCase(),
      created: now(),
      customer: id,
      customer_account: null,
      livemode: false,
      owner: { customer: id, customer_account: null, type: "customer" },
      type: type as Objects["tax_id"]["type"],
      value,
      verification: { status: "pending", verified_address: null, verified_name: null },
    });
    context.emit("customer.tax_id.created", taxId);
    return taxId;
  }),
  route("GET", "/v1/customers/:id/tax_ids", takes(listing), (context, params, id) => {
    context.store.get("customer", id);
    const own = context.store.all("tax_id").filter(({ customer }) => customer === id);
    return page(own, `/v1/customers/${id}/tax_ids`, params);
  }),
  route("DELETE", "/v1/customers/:id/tax_ids/:inner", takes({}), (context, _params, id, innerId) => {
    const taxId = context.store.get("tax_id", innerId);
    if (taxId.customer !== id) throw new StripeFault(404, `No such tax_id: '${innerId}'`, { code: "resource_missing" });
    context.store.remove(innerId);
    context.emit("customer.tax_id.deleted", taxId);
    return { id: innerId, object: "tax_id", deleted: true };
  }),
];

type Change = z.output<z.ZodObject<typeof fields>>;

function withChanges(
  old: Objects["customer"],
  { metadata: change, address: newAddress, ...rest }: Change,
): Objects["customer"] {
  const set = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  const blank = Object.fromEntries(addressFields.map((name) => [name, null]));
  return {
    ...old,
    ...set,
    metadata: mergeMetadata(old.metadata, change),
    address:
      newAddress === undefined ? (old.address ?? null) : newAddress && { ...blank, ...old.address, ...newAddress },
  } as Objects["customer"];
}

function isPlausible(type: string, value: string): boolean {
  const shapes: Record<string, RegExp> = {
    eu_vat: /^[A-Z]{2}[A-Z0-9]{7,13}$/,
    es_cif: /^[A-Z]\d{7}[A-Z0-9]$/,
    gb_vat: /^GB\d{9}$/,
  };
  return shapes[type]?.test(value) ?? false;
}
