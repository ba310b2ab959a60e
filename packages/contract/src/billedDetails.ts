/** The customer's details that the payment provider has a copy of, for invoices. It may refuse each of them. */
export const billedDetails = ["email", "name", "phone", "address", "vat_number"] as const;
export type BilledDetail = (typeof billedDetails)[number];

/** What the provider found out about a tax number in its register, such as VIES. */
export const taxIdStatuses = ["pending", "verified", "unverified"] as const;
export type TaxIdStatus = (typeof taxIdStatuses)[number];
