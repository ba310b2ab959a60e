import type { Objects } from "./objects.ts";
import { newId } from "./Store.ts";

const evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Objects["dispute"]["evidence"];

/** The fields that every dispute of the stand-in has in common. */
export const disputeDefaults = {
  enhanced_eligibility_types: [],
  evidence,
  evidence_details: {
    due_by: null,
    enhanced_eligibility: {},
    has_evidence: false,
    past_due: false,
    submission_count: 0,
    submission_method: "not_submitted",
  },
  intended_submission_method: null,
  livemode: false,
  metadata: {},
} satisfies Partial<Objects["dispute"]>;

/** The movement of a disputed amount; a negative amount leaves the account. */
export function movementOf(
  dispute: string,
  amount: number,
  currency: string,
  at: number,
): Objects["dispute"]["balance_transactions"][number] {
  return {
    id: newId("txn"),
    object: "balance_transaction",
    amount,
    available_on: at,
    balance_type: "payments",
    created: at,
    currency,
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: amount,
    reporting_category: amount < 0 ? "dispute" : "dispute_reversal",
    source: dispute,
    status: "available",
    type: "adjustment",
  };
}
