import type { z } from "zod";
import type { Books } from "./Books.ts";
import type { Objects } from "./objects.ts";
import { listing, takes } from "./parameters.ts";
import { StripeFault } from "./StripeFault.ts";

export interface Route {
  method: "GET" | "POST" | "DELETE";
  /** such as /v1/products/:id */
  path: string;
  schema: z.ZodType;
  run(books: Books, params: never, id: string, innerId: string): unknown;
}

/** A route whose parameters have the schema's type. */
export function route<Schema extends z.ZodType>(
  method: Route["method"],
  path: string,
  schema: Schema,
  run: (books: Books, params: z.output<Schema>, id: string, innerId: string) => unknown,
): Route {
  return { method, path, schema, run };
}

type Listable = Exclude<keyof Objects, `_${string}`>;
interface Page {
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** The two reads that most objects have: one by its id, and many, filtered. */
export function reads<Kind extends Listable, Shape extends z.ZodRawShape>(
  kind: Kind,
  path: string,
  filters: Shape,
  matches: (object: Objects[Kind], filters: z.output<z.ZodObject<Shape>>) => boolean,
): Route[] {
  const schema = takes({ ...listing, ...filters });
  return [
    route("GET", `${path}/:id`, takes({}), ({ store }, _params, id) => store.get(kind, id)),
    route("GET", path, schema, ({ store }, params) => {
      const asked = params as unknown as Page & z.output<z.ZodObject<Shape>>;
      return page(
        store.all(kind).filter((object) => matches(object, asked)),
        path,
        asked,
      );
    }),
  ];
}

export function page<Item extends { id: string }>(items: Item[], url: string, asked: Page) {
  const index = (id: string, param: string) => {
    const found = items.findIndex((item) => item.id === id);
    if (found < 0) throw new StripeFault(400, `No such object: '${id}'`, { code: "resource_missing", param });
    return found;
  };
  let rest = items;
  if (asked.starting_after) rest = items.slice(index(asked.starting_after, "starting_after") + 1);
  if (asked.ending_before) {
    const before = items.slice(0, index(asked.ending_before, "ending_before"));
    return list(before.slice(-asked.limit), url, before.length > asked.limit);
  }
  return list(rest.slice(0, asked.limit), url, rest.length > asked.limit);
}

export function list<Item>(data: Item[], url: string, hasMore = false) {
  return { object: "list" as const, data, has_more: hasMore, url };
}

/** Whether an optional filter lets a value pass. */
export function is<Value>(value: Value, wanted: Value | undefined): boolean {
  return wanted === undefined || value === wanted;
}

interface Since {
  gt?: number | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  lte?: number | undefined;
}

export function isWithin(at: number, { gt, gte, lt, lte }: Since = {}): boolean {
  return at > (gt ?? -1) && at >= (gte ?? 0) && at < (lt ?? Infinity) && at <= (lte ?? Infinity);
}
