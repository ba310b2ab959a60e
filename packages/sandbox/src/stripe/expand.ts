import type { Books } from "./Books.ts";
import { lineItemsOf } from "./checkout.ts";
import { paymentsOf } from "./payments.ts";
import { list } from "./Route.ts";
import { StripeFault } from "./StripeFault.ts";

type Thing = Record<string, unknown> & { id?: string; object?: string };
const deepest = 4;

/** Puts objects where an answer has their ids, and lists where it has none, as `expand[]` asks. */
export function expand(books: Books, answer: unknown, paths: string[]): unknown {
  let expanded = answer;
  for (const path of paths) {
    const steps = path.split(".");
    if (steps.length > deepest)
      throw new StripeFault(400, `You cannot expand more than ${deepest} levels of a property. (property: ${path})`);
    expanded = follow(books, expanded, steps, path);
  }
  return expanded;
}

function follow(books: Books, value: unknown, steps: string[], path: string): unknown {
  if (value === null) return value;
  if (Array.isArray(value)) return value.map((item) => follow(books, item, steps, path));
  if (typeof value === "string") {
    const object = books.store.any(value);
    if (!object) throw new StripeFault(400, `This property cannot be expanded (${path}).`, { param: "expand" });
    return follow(books, object, steps, path);
  }
  if (steps.length === 0) return value;

  const [head = "", ...rest] = steps;
  const thing = value as Thing;
  const inner = thing[head] === undefined ? leftOut(books, thing, head) : thing[head];
  if (inner === undefined || head === "id")
    throw new StripeFault(400, `This property cannot be expanded (${path}).`, { param: "expand" });
  return { ...thing, [head]: follow(books, inner, rest, path) };
}

/** What the service answers only when it is asked for. */
function leftOut(books: Books, { object, id = "" }: Thing, name: string) {
  if (object === "checkout.session" && name === "line_items")
    return list(lineItemsOf(books, id), `/v1/checkout/sessions/${id}/line_items`);
  if (object === "invoice" && name === "payments")
    return list(paymentsOf(books, id), `/v1/invoice_payments?invoice=${id}`);
  return undefined;
}
