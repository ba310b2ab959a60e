import type { Interval, Recipe } from "@nido/contract";

export interface Plan {
  id: string;
  recipe: Recipe;
  interval: Interval;
  /** in cents, without VAT */
  amount: number;
}

/** In cents. */
export interface Payment {
  net: number;
  total: number;
  refunded: number;
  dispute?: "open" | "won" | "lost";
}

interface Terms {
  plan: Plan;
  /** in percent */
  vat: number;
  /** on the first payment, in percent */
  discount: number;
  isReferred: boolean;
}

/**
 * What must be true of one purchase, in a world where everything takes effect at once. It knows no webhooks and no jobs:
 * whatever becomes of those, the product and the provider must end up like this.
 */
export class Purchase {
  readonly subId: string;
  readonly terms: Terms;
  readonly payments: Payment[] = [];
  plan: Plan;
  isCardGood = true;
  /** the unpaid amount of the latest period */
  owed: Pick<Payment, "net" | "total"> | undefined;
  /** by how much the running period of this plan was cheaper */
  periodDiscount = 0;
  endsWithPeriod = false;
  hasEnded = false;
  isDeleted = false;
  /** When it was deleted, the dashboard said that it ends with the period. */
  wasToEnd = false;
  /** It ended before the product knew of it, so there was never a project. */
  isRefused = false;
  /** what the customer decided in the dashboard, until a job tells the provider */
  decision: "end" | "renew" | "delete" | undefined;

  constructor(subId: string, terms: Terms) {
    this.subId = subId;
    this.terms = terms;
    this.plan = terms.plan;
    this.bill(terms.discount);
  }

  /** The next period begins, unless the subscription ends with this one. */
  endPeriod() {
    if (this.endsWithPeriod) this.end();
    else this.bill(0);
  }

  pay() {
    this.isCardGood = true;
    if (this.owed) this.payments.push({ ...this.owed, refunded: 0 });
    this.owed = undefined;
  }

  end() {
    this.hasEnded = true;
  }

  /** A change of the plan in the dashboard, at the beginning of the period: the difference is paid at once. */
  upgrade(plan: Plan) {
    const net = plan.amount - (this.plan.amount - this.periodDiscount);
    this.payments.push({ ...this.withTax(net), refunded: 0 });
    this.setPlan(plan);
  }

  setPlan(plan: Plan) {
    this.plan = plan;
    this.periodDiscount = 0;
  }

  /** The bank has the money of a payment, or has given it back to the customer. */
  get isDisputed(): boolean {
    return this.payments.some(({ dispute }) => dispute === "open" || dispute === "lost");
  }

  /** A purchase without a project is refunded by itself, unless somebody has refunded a part of it. */
  get refunded(): number {
    const [first] = this.payments;
    const own = this.isRefused && first?.refunded === 0 ? first.total : 0;
    return this.payments.reduce((sum, { refunded }) => sum + refunded, own);
  }

  tellProvider() {
    const { decision } = this;
    this.decision = undefined;
    if (!decision || this.hasEnded) return;
    if (decision === "delete" && this.owed) this.end();
    else this.endsWithPeriod = decision !== "renew";
  }

  /** The referrer's share of what was paid and not refunded, without VAT. */
  earning(percent: number): number {
    if (!this.terms.isReferred || this.isRefused) return 0;
    const shares = this.payments.map(({ net, total, refunded, dispute }) =>
      dispute === "open" || dispute === "lost" ? 0 : Math.floor(((total - refunded) * net * percent) / (total * 100)),
    );
    return shares.reduce((sum, share) => sum + share, 0);
  }

  private bill(discount: number) {
    this.periodDiscount = Math.round((this.plan.amount * discount) / 100);
    this.owed = this.withTax(this.plan.amount - this.periodDiscount);
    if (this.isCardGood) this.pay();
  }

  private withTax(net: number) {
    return { net, total: net + Math.round((net * this.terms.vat) / 100) };
  }
}
