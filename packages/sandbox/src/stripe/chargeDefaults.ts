import type { Objects } from "./objects.ts";

/** The fields that every charge of the stand-in has in common. */
export const chargeDefaults = {
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: "SANDBOX",
  captured: true,
  description: "Subscription",
  disputed: false,
  failure_balance_transaction: null,
  failure_code: null,
  failure_message: null,
  fraud_details: {},
  livemode: false,
  metadata: {},
  on_behalf_of: null,
  outcome: null,
  paid: true,
  payment_method_details: null,
  receipt_email: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  status: "succeeded",
  transfer_data: null,
  transfer_group: null,
} satisfies Partial<Objects["charge"]>;

/** The fields that every card of the stand-in has in common. */
export const cardDefaults = {
  amount_authorized: null,
  authorization_code: null,
  brand: "visa",
  checks: null,
  country: "ES",
  electronic_commerce_indicator: null,
  exp_month: 12,
  exp_year: 2040,
  funding: "credit",
  installments: null,
  mandate: null,
  network: "visa",
  network_transaction_id: null,
  regulated_status: null,
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
} satisfies Partial<NonNullable<NonNullable<Objects["charge"]["payment_method_details"]>["card"]>>;

/** The fields that every direct debit of the stand-in has in common. */
export const debitDefaults = { bank_code: "2100", branch_code: "0418", country: "ES" };
