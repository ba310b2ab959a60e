/** The payment methods for subscriptions that an operator can offer, by their names at the payment provider. */
const methods = {
  card: "immediate",
  link: "immediate",
  paypal: "immediate",
  sepa_debit: "delayed",
  us_bank_account: "delayed",
  bacs_debit: "delayed",
  au_becs_debit: "delayed",
} as const;

export type PaymentMethod = keyof typeof methods;
export const paymentMethods = Object.keys(methods) as PaymentMethod[];

/** Whether the money is certain only some days after the order. */
export function takesDays(method: PaymentMethod): boolean {
  return methods[method] === "delayed";
}
