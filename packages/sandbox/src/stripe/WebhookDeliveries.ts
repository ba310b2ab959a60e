import { createHmac } from "node:crypto";
import type { Objects } from "./objects.ts";
import type { StripeContext } from "./StripeContext.ts";

const timeoutMs = 10_000;
const firstRetryDelayMs = 500;
const maxRetryDelayMs = 60_000;
const maxEventAgeMs = 3 * 24 * 60 * 60 * 1000;
const concurrency = 10;

/** Sends events to the webhook endpoints, in no particular order, and retries until an endpoint accepts them. */
export class WebhookDeliveries {
  private readonly context: StripeContext;
  private readonly running = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(context: StripeContext) {
    this.context = context;
  }

  /** Sends the deliveries that are due, and schedules itself for the next one. */
  run() {
    clearTimeout(this.timer);
    if (this.isStopped) return;
    const waiting = this.context.store.all("_delivery").filter(({ id }) => !this.running.has(id));
    const due = waiting.filter(({ at }) => at <= Date.now());
    for (const delivery of due.slice(0, Math.max(0, concurrency - this.running.size))) void this.deliver(delivery);
    const next = Math.min(...waiting.map(({ at }) => at));
    if (Number.isFinite(next)) this.timer = setTimeout(() => this.run(), Math.max(20, next - Date.now())).unref();
  }

  stop() {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async deliver(delivery: Objects["_delivery"]) {
    const { store } = this.context;
    const event = store.find("event", delivery.event);
    const endpoint = store.find("webhook_endpoint", delivery.endpoint);
    if (!event || !endpoint) return store.transaction(() => store.remove(delivery.id));
    this.running.add(delivery.id);
    const isAccepted = await send(endpoint, JSON.stringify(event, null, 2));
    this.running.delete(delivery.id);
    if (this.isStopped) return;

    store.transaction(() => {
      const attempts = delivery.attempts + 1;
      const isOver = isAccepted || Date.now() > event.created * 1000 + maxEventAgeMs;
      if (isOver) store.remove(delivery.id);
      else
        store.put({
          ...delivery,
          attempts,
          at: Date.now() + Math.min(maxRetryDelayMs, firstRetryDelayMs * 2 ** attempts),
        });
      const latest = store.find("event", event.id);
      if (isAccepted && latest) store.put({ ...latest, pending_webhooks: latest.pending_webhooks - 1 });
    });
    this.run();
  }
}

async function send({ url, secret }: Objects["webhook_endpoint"], body: string): Promise<boolean> {
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", secret ?? "")
    .update(`${at}.${body}`)
    .digest("hex");
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (+sandbox)",
        "stripe-signature": `t=${at},v1=${signature}`,
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
