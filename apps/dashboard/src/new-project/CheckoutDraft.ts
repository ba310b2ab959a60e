import { type Category, defaultCategory, type ErrorKey, isCategory, isErrorKey } from "@nido/contract";
import { paths } from "../paths.ts";

/** The wizard's query parameters. The server writes the same ones in `checkoutUrls.ts`. */
interface DraftParameters {
  category: Category;
  plan: string;
  /** the site's name, without the platform's domain */
  domain: string;
  username: string;
  promo: string;
  /** set when another customer reserved the name first */
  taken: "1";
  /** set when the customer came back from the payment page without paying */
  cancelled: "1";
  /** set when the checkout had expired by then: the name is no longer held */
  expired: "1";
  /** why the purchase failed */
  reason: ErrorKey;
}

export type WizardStep =
  | "selectCategory"
  | "newProject"
  | "wpName"
  | "wpUsername"
  | "staticName"
  | "purchase"
  | "newProjectError";

/**
 * The customer's choices in the wizard so far. They are kept in the query string, so that a reload, the sign-in and the
 * payment page lose nothing. Parameters that the wizard does not know, such as `lang`, are carried along.
 */
export class CheckoutDraft {
  private readonly query: URLSearchParams;

  constructor(query: URLSearchParams | string) {
    this.query = new URLSearchParams(query);
  }

  get category(): Category {
    const category = this.query.get("category");
    return isCategory(category) ? category : defaultCategory;
  }

  get plan(): string | undefined {
    return this.read("plan");
  }

  get domain(): string | undefined {
    return this.read("domain");
  }

  get username(): string | undefined {
    return this.read("username");
  }

  get promo(): string | undefined {
    return this.read("promo");
  }

  get isNameTaken(): boolean {
    return this.query.has("taken");
  }

  get isCancelled(): boolean {
    return this.query.has("cancelled");
  }

  get isExpired(): boolean {
    return this.query.has("expired");
  }

  get reason(): ErrorKey | undefined {
    const reason = this.query.get("reason");
    return isErrorKey(reason) ? reason : undefined;
  }

  /** The first step that is not done yet. What is chosen already is not asked again. */
  get nextStep(): WizardStep {
    if (!this.plan) return "newProject";
    if (!this.domain) return this.nameStep;
    return this.category === "wordpress" && !this.username ? "wpUsername" : "purchase";
  }

  /** The step that asks for the site's name: each category has its own. */
  get nameStep(): WizardStep {
    return this.category === "static" ? "staticName" : "wpName";
  }

  with(changes: Partial<DraftParameters>): CheckoutDraft {
    const query = new URLSearchParams(this.query);
    for (const [name, value] of Object.entries(changes)) query.set(name, value);
    return new CheckoutDraft(query);
  }

  without(...names: (keyof DraftParameters)[]): CheckoutDraft {
    const query = new URLSearchParams(this.query);
    for (const name of names) query.delete(name);
    return new CheckoutDraft(query);
  }

  pathTo(step: WizardStep): string {
    return `${paths[step]}?${this.query}`;
  }

  private read(name: keyof DraftParameters): string | undefined {
    return this.query.get(name) ?? undefined;
  }
}
