/** `GET /billing/invoices`, the newest first. Amounts are in the smallest unit of the currency. */
export interface InvoicePage {
  invoices: Invoice[];
  /** the invoice to continue after; absent on the last page */
  next?: string;
  /** what later invoices are reduced by; only on the first page */
  credit?: { amount: number; currency: string };
}

export const invoiceStates = ["open", "paid", "void", "uncollectible"] as const;

export interface Invoice {
  id: string;
  number: string;
  /** ISO 8601 */
  created_at: string;
  /** with VAT */
  total: number;
  vat: number;
  currency: string;
  state: (typeof invoiceStates)[number];
  /** the provider's page, on which an open invoice can be paid */
  url?: string;
  pdf?: string;
}
