import { integer, takes, text } from "./parameters.ts";
import { type Route, route } from "./Route.ts";
import { StripeFault } from "./StripeFault.ts";

/** Stripe's search for invoices, by number only. */
export const invoiceSearchRoutes: Route[] = [
  route("GET", "/v1/invoices/search", takes({ query: text, limit: integer.optional() }), ({ store }, { query }) => {
    const [, number] = /^number:"([\w-]+)"$/.exec(query) ?? [];
    if (!number) throw new StripeFault(400, "We were unable to parse your search query.", { param: "query" });
    const data = store.all("invoice").filter((invoice) => invoice.number === number);
    return { object: "search_result", data, has_more: false, next_page: null, url: "/v1/invoices/search" };
  }),
];
