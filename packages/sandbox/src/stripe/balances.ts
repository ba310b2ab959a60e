import { z } from "zod";
import { currency, integer, listing, metadata, takes, text } from "./parameters.ts";
import { page, type Route, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import { StripeFault } from "./StripeFault.ts";

const path = "/v1/customers/:id/balance_transactions";

/** A customer's balance: a negative one is credit, which pays for the next invoices. */
export const balanceRoutes: Route[] = [
  route(
    "POST",
    path,
    takes({
      amount: integer.pipe(z.number().refine((amount) => amount !== 0)),
      currency,
      description: text.max(350).optional(),
      metadata: metadata.optional(),
    }),
    ({ store }, params, id) => {
      const customer = store.get("customer", id);
      if (customer.currency && customer.currency !== params.currency)
        throw new StripeFault(400, "The currency differs from the customer's.", { param: "currency" });
      const balance = customer.balance + params.amount;
      store.put({ ...customer, balance, currency: params.currency });
      return store.put({
        id: newId("cbtxn"),
        object: "customer_balance_transaction",
        amount: params.amount,
        checkout_session: null,
        created: now(),
        credit_note: null,
        currency: params.currency,
        customer: id,
        customer_account: null,
        description: params.description ?? null,
        ending_balance: balance,
        invoice: null,
        livemode: false,
        metadata: params.metadata ?? {},
        type: "adjustment",
      });
    },
  ),
  route("GET", path, takes(listing), ({ store }, params, id) => {
    store.get("customer", id);
    const own = store.all("customer_balance_transaction").filter(({ customer }) => customer === id);
    return page(own, `/v1/customers/${id}/balance_transactions`, params);
  }),
];
