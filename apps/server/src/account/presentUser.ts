import { taxIdStatuses, type User } from "@nido/contract";
import { keptUntil } from "../platform/keptUntil.ts";
import type { UserRow } from "./queries.ts";

export function presentUser(row: UserRow): User {
  return {
    avatar_url: row.avatarUrl,
    given_name: row.givenName,
    family_name: row.familyName,
    email: row.email,
    address: row.address,
    city: row.city,
    state: row.state,
    zipcode: row.zipcode,
    country: row.country,
    phone: row.phone,
    company_name: row.companyName,
    vat_number: row.vatNumber,
    invoice_tax_id: taxIdsOf(row).join(", "),
    ...statusOf(row),
    refused_details: row.refusedDetails,
    lang: row.lang,
    password: row.passwordHash !== null,
    muted_mail: row.mutedMail,
    created_at: row.createdAt.toISOString(),
    last_login: row.lastLogin.toISOString(),
    refcode: row.refcode,
    ...(row.closedAt && { removal_at: keptUntil(row.closedAt) }),
  };
}

/** Numbers that are in no register have no status to show. */
/** As on invoices: the one that was made from the number in the settings, and those that were typed at the provider. */
function taxIdsOf({ providerCopy }: UserRow): string[] {
  return [providerCopy?.taxId?.value ?? [], providerCopy?.typedTaxIds ?? []].flat();
}

function statusOf({ providerCopy }: UserRow): Pick<User, "invoice_tax_id_status"> {
  const status = taxIdStatuses.find((name) => name === providerCopy?.taxId?.status);
  return status ? { invoice_tax_id_status: status } : {};
}
