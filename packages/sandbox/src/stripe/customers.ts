import { z } from "zod";
import type { Objects } from "./objects.ts";
import { listing, mergeMetadata, metadata, takes, text, unsettable } from "./parameters.ts";
import { page, passes, type Route, readRoutes, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

const addressFields = ["line1", "line2", "city", "state", "postal_code", "country"] as const;
const address = z.union([
  z.strictObject(Object.fromEntries(addressFields.map((name) => [name, unsettable.optional()]))),
  z.literal("").transform(() => null),
]);
const email = z
  .string()
  .max(512)
  .transform((value) => value || null)
  .optional();
const fields = {
  email,
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
    const changed = withChanges(context.store.get("customer", id), params);
    if (params.address !== undefined) requireLocation(context, changed);
    const customer = context.store.put(changed);
    context.emit("customer.updated", customer);
    return customer;
  }),
  route("DELETE", "/v1/customers/:id", takes({}), (context, _params, id) => {
    const customer = context.store.get("customer", id);
    context.store.remove(id);
    context.store.put({ id: `_deleted_${id}`, object: "_deleted" });
    context.emit("customer.deleted", customer);
    return { id, object: "customer", deleted: true };
  }),
  // A deleted customer can still be retrieved, but neither changed nor charged.
  route("GET", "/v1/customers/:id", takes({}), ({ store }, _params, id) =>
    store.find("_deleted", `_deleted_${id}`) ? { id, object: "customer", deleted: true } : store.get("customer", id),
  ),
  ...readRoutes("customer", "/v1/customers", { email: text.optional() }, (customer, { email }) =>
    passes(customer.email, email),
  ),

  route("POST", "/v1/customers/:id/tax_ids", takes({ type: text, value: text }), (context, { type, value }, id) => {
    context.store.get("customer", id);
    const shape = taxIdShapes[type];
    if (!shape) throw new StripeFault(400, `Invalid type: ${type}`, { param: "type" });
    if (!shape.test(value))
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
      verification: {
        status: isInRegister(type) ? "pending" : "unavailable",
        verified_address: null,
        verified_name: null,
      },
    });
    context.emit("customer.tax_id.created", taxId);
    return taxId;
  }),
  route("GET", "/v1/customers/:id/tax_ids", takes(listing), (context, params, id) => {
    context.store.get("customer", id);
    const own = context.store.all("tax_id").filter(({ customer }) => customer === id);
    return page(own, `/v1/customers/${id}/tax_ids`, params);
  }),
  route("GET", "/v1/customers/:id/tax_ids/:inner", takes({}), ({ store }, _params, id, innerId) => {
    const taxId = store.get("tax_id", innerId);
    if (taxId.customer !== id) throw new StripeFault(404, `No such tax_id: '${innerId}'`, { code: "resource_missing" });
    return taxId;
  }),
  route("DELETE", "/v1/customers/:id/tax_ids/:inner", takes({}), (context, _params, id, innerId) => {
    const taxId = context.store.get("tax_id", innerId);
    if (taxId.customer !== id) throw new StripeFault(404, `No such tax_id: '${innerId}'`, { code: "resource_missing" });
    context.store.remove(innerId);
    context.emit("customer.tax_id.deleted", taxId);
    return { id: innerId, object: "tax_id", deleted: true };
  }),
];

/** Stripe looks these numbers up: in VIES, and in the registers of the United Kingdom and Australia. */
function isInRegister(type: string): boolean {
  return ["eu_vat", "gb_vat", "au_abn"].includes(type);
}

/** Ends the check of a tax id in its register, which takes some time. */
export function verifyTaxId(context: StripeContext, taxId: Objects["tax_id"], status: "verified" | "unverified") {
  const name = status === "verified" ? (context.store.find("customer", String(taxId.customer))?.name ?? null) : null;
  const verification = { status, verified_address: null, verified_name: name };
  context.emit("customer.tax_id.updated", context.store.put({ ...taxId, verification }), {
    verification: taxId.verification,
  });
}

/** Stripe can tax a customer by a postal code in the United States, and elsewhere by the country. */
function requireLocation({ store }: StripeContext, { id, address }: Objects["customer"]) {
  const isTaxed = store.all("subscription").some((each) => each.customer === id && each.automatic_tax.enabled);
  if (!isTaxed || (address?.country && (address.country !== "US" || /^\d{5}/.test(address.postal_code ?? "")))) return;
  throw new StripeFault(
    400,
    "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
    { code: "customer_tax_location_invalid" },
  );
}

/** An address without a domain, or with a space, is one that Stripe refuses. */
function requireEmail(typed: string | null | undefined) {
  if (!typed || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(typed)) return;
  throw new StripeFault(400, `Invalid email address: ${typed}`, { code: "email_invalid", param: "email" });
}

type Change = z.output<z.ZodObject<typeof fields>>;

function withChanges(
  old: Objects["customer"],
  { metadata: change, address: newAddress, ...rest }: Change,
): Objects["customer"] {
  requireEmail(rest.email);
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

/** As Stripe documents them, for the kinds of number that Nido sends. Other kinds are refused. */
const taxIdShapes: Record<string, RegExp> = {
  ad_nrt: /^[A-Z]-\d{6}-[A-Z]$/,
  ae_trn: /^\d{15}$/,
  ar_cuit: /^\d{2}-\d{7,8}-\d{1,2}$/,
  au_abn: /^\d{11}$/,
  bo_tin: /^\d{9}$/,
  br_cnpj: /^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$/,
  br_cpf: /^\d{3}\.\d{3}\.\d{3}-\d{2}$/,
  ca_bn: /^\d{9}$/,
  ca_gst_hst: /^\d{9}RT\d{4}$/,
  ch_uid: /^CHE-\d{3}\.\d{3}\.\d{3}$/,
  ch_vat: /^CHE-\d{3}\.\d{3}\.\d{3} (MWST|TVA|IVA)$/,
  cl_tin: /^\d{1,2}\.\d{3}\.\d{3}-[\dK]$/,
  co_nit: /^\d{3}\.\d{3}\.\d{3}-\d$/,
  cr_tin: /^\d-\d{3}-\d{6}$/,
  do_rcn: /^\d{3}-\d{7}-\d$/,
  ec_ruc: /^\d{13}$/,
  es_cif: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  eu_vat: /^(?!ES\d{9}$)[A-Z]{2}[A-Z0-9]{7,13}$/,
  gb_vat: /^GB(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  il_vat: /^\d{9}$/,
  in_gst: /^\d{2}[A-Z0-9]{13}$/,
  is_vat: /^\d{5,6}$/,
  jp_trn: /^T\d{13}$/,
  kr_brn: /^\d{3}-\d{2}-\d{5}$/,
  li_vat: /^\d{5}$/,
  ma_vat: /^\d{8}$/,
  mx_rfc: /^[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}$/,
  no_vat: /^\d{9}MVA$/,
  nz_gst: /^\d{8,9}$/,
  pe_ruc: /^\d{11}$/,
  rs_pib: /^\d{9}$/,
  sg_gst: /^[A-Z]\d{8}[A-Z]$/,
  sv_nit: /^\d{4}-\d{6}-\d{3}-\d$/,
  tr_tin: /^\d{10}$/,
  ua_vat: /^\d{9}$/,
  us_ein: /^\d{2}-\d{7}$/,
  uy_ruc: /^\d{12}$/,
  ve_rif: /^[A-Z]-\d{8}-\d$/,
  za_vat: /^\d{10}$/,
};
