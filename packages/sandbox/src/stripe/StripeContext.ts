import type { Objects } from "./objects.ts";
import { newId, now, type Store } from "./Store.ts";

export const apiVersion = "2026-10-28.endive";

type PublicObject = Objects[Exclude<keyof Objects, `_${string}` | "event">];

/** The object store and the event log, which all API calls and hosted pages share. */
export class StripeContext {
  readonly store: Store;
  /** the origin of the stand-in, for the addresses of its hosted pages */
  readonly origin: string;
  /** the current API call; null while a hosted page or a timer makes the change */
  request: { id: string; idempotency_key: string | null } | null = null;

  constructor(store: Store, origin: string) {
    this.store = store;
    this.origin = origin;
  }

  /** Records an event with a snapshot of the object, and a delivery for each subscribed webhook endpoint. */
  emit(type: string, object: PublicObject, previous?: Record<string, unknown>) {
    const { store } = this;
    const endpoints = store
      .all("webhook_endpoint")
      .filter(({ enabled_events }) => enabled_events.includes("*") || enabled_events.includes(type));
    const event = store.put({
      id: newId("evt"),
      object: "event",
      api_version: apiVersion,
      created: now(),
      data: previous ? { object, previous_attributes: previous } : { object },
      livemode: false,
      pending_webhooks: endpoints.length,
      request: this.request ?? { id: null, idempotency_key: null },
      type,
    });
    for (const { id } of endpoints) {
      store.put({ id: newId("_del"), object: "_delivery", event: event.id, endpoint: id, attempts: 0, at: Date.now() });
    }
  }
}
