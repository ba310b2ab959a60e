import type { Objects } from "./objects.ts";
import { newId, now, type Store } from "./Store.ts";

export const apiVersion = "2026-10-28.endive";

type Shown = Objects[Exclude<keyof Objects, `_${string}` | "event">];

/** What every call works with: the objects, where the hosted pages are, and who is told of changes. */
export class Books {
  readonly store: Store;
  /** where the stand-in itself answers */
  readonly origin: string;
  /** the call that is being answered; null for what happens on the hosted pages and by itself */
  request: { id: string; idempotency_key: string | null } | null = null;

  constructor(store: Store, origin: string) {
    this.store = store;
    this.origin = origin;
  }

  /** Records that something happened, as it is now, and one delivery for each endpoint that wants to know. */
  emit(type: string, object: Shown, previous?: Record<string, unknown>) {
    const { store } = this;
    const wanted = store
      .all("webhook_endpoint")
      .filter(({ enabled_events }) => enabled_events.includes("*") || enabled_events.includes(type));
    const event = store.put({
      id: newId("evt"),
      object: "event",
      api_version: apiVersion,
      created: now(),
      data: previous ? { object, previous_attributes: previous } : { object },
      livemode: false,
      pending_webhooks: wanted.length,
      request: this.request ?? { id: null, idempotency_key: null },
      type,
    });
    for (const { id } of wanted) {
      store.put({ id: newId("_del"), object: "_delivery", event: event.id, endpoint: id, attempts: 0, at: Date.now() });
    }
  }
}
