import { webhookPath } from "@nido/server/billing/sync/webhookRoute";
import type { Stripe } from "stripe";

const concurrency = 20;

/**
 * Delivers events in a random order, and repeats each delivery until it is accepted, as the provider does. `random`
 * returns a whole number below its argument.
 */
export class WebhookSender {
  /** all that were ever handed over */
  readonly events: Stripe.Event[] = [];
  accepted = 0;
  refused = 0;
  private readonly stripe: Stripe;
  private readonly target: { origin: string; secret: string };
  private readonly random: (below: number) => number;

  constructor(stripe: Stripe, target: { origin: string; secret: string }, random: (below: number) => number) {
    this.stripe = stripe;
    this.target = target;
    this.random = random;
  }

  /** Delivers new events and `repeats` copies of those that were handed over so far. */
  async deliver(events: Stripe.Event[], repeats: number, isUp: () => Promise<unknown>) {
    this.events.push(...events);
    const waiting = [...events];
    for (let copy = 0; copy < repeats; copy++)
      waiting.push(this.events[this.random(this.events.length)] as Stripe.Event);
    const work = async () => {
      while (waiting.length > 0) {
        const [event] = waiting.splice(this.random(waiting.length), 1) as [Stripe.Event];
        await isUp();
        if (await this.send(event)) this.accepted++;
        else {
          this.refused++;
          waiting.push(event);
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }

  private async send(event: Stripe.Event): Promise<boolean> {
    const payload = JSON.stringify(event, null, 2);
    const { origin, secret } = this.target;
    const signature = this.stripe.webhooks.generateTestHeaderString({ payload, secret });
    try {
      const headers = { "content-type": "application/json; charset=utf-8", "stripe-signature": signature };
      const response = await fetch(origin + webhookPath, { method: "POST", headers, body: payload });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false; // The connection broke, because the product was killed.
    }
  }
}
