import type { z } from "zod";
import type { Objects } from "./objects.ts";
import { listing, takes } from "./parameters.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

export interface Route {
  method: "GET" | "POST" | "DELETE";
  /** for example /v1/products/:id */
  path: string;
  schema: z.ZodType;
  run(context: StripeContext, params: never, id: string, innerId: string): unknown;
}

/** A route whose handler receives the parameters in the type of the schema. */
export function route<Schema extends z.ZodType>(
  method: Route["method"],
  path: string,
  schema: Schema,
  run: (context: StripeContext, params: z.output<Schema>, id: string, innerId: string) => unknown,
): Route {
  return { method, path, schema, run };
}

type Listable = Exclude<keyof Objects, `_${string}`>;
interface PageRequest {
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** The two routes that most kinds of objects have: retrieve by id, and list with filters. */
export function readRoutes<Kind extends Listable, Shape extends z.ZodRawShape>(
  kind: Kind,
  path: string,
  filters: Shape,
  matches: (object: Objects[Kind], filters: z.output<z.ZodObject<Shape>>) => boolean,
): Route[] {
  const schema = takes({ ...listing, ...filters });
  return [
    route("GET", `${path}/:id`, takes({}), ({ store }, _params, id) => store.get(kind, id)),
    route("GET", path, schema, ({ store }, params) => {
      const requested = params as unknown as PageRequest & z.output<z.ZodObject<Shape>>;
      return page(
        store.all(kind).filter((object) => matches(object, requested)),
        path,
        requested,
      );
    }),
  ];
}

export function page<Item extends { id: string }>(items: Item[], url: string, requested: PageRequest) {
  const index = (id: string, param: string) => {
    const found = items.findIndex((item) => item.id === id);
    if (found < 0) throw new StripeFault(400, `No such object: '${id}'`, { code: "resource_missing", param });
    return found;
  };
  let rest = items;
  if (requested.starting_after) rest = items.slice(index(requested.starting_after, "starting_after") + 1);
  if (requested.ending_before) {
    const before = items.slice(0, index(requested.ending_before, "ending_before"));
    return list(before.slice(-requested.limit), url, before.length > requested.limit);
  }
  return list(rest.slice(0, requested.limit), url, rest.length > requested.limit);
}

export function list<Item>(data: Item[], url: string, hasMore = false) {
  return { object: "list" as const, data, has_more: hasMore, url };
}

/** Whether a value passes an optional filter. */
export function passes<Value>(value: Value, filter: Value | undefined): boolean {
  return filter === undefined || value === filter;
}

interface TimeRange {
  gt?: number | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  lte?: number | undefined;
}

export function isWithin(at: number, { gt, gte, lt, lte }: TimeRange = {}): boolean {
  return at > (gt ?? -1) && at >= (gte ?? 0) && at < (lt ?? Infinity) && at <= (lte ?? Infinity);
}
