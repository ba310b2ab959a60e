import { describe, expect, test } from "vitest";
import { CheckoutDraft, type WizardStep } from "./CheckoutDraft.ts";
import { toCheckout } from "./startCheckout.ts";

const complete = "category=wordpress&plan=price_1&domain=mitienda&username=lucia&promo=abc&lang=es";

describe("reading", () => {
  const nothing = {
    category: "wordpress",
    plan: undefined,
    domain: undefined,
    username: undefined,
    promo: undefined,
    isNameTaken: false,
    isCancelled: false,
    reason: undefined,
    nameStep: "wpName",
  };
  test.each([
    ["an empty query", "", {}],
    ["a category", "category=static", { category: "static", nameStep: "staticName" }],
    ["an unknown category", "category=drupal", {}],
    ["a category in capitals", "category=STATIC", {}],
    ["empty values", "plan=&domain=&username=&promo=", { plan: "", domain: "", username: "", promo: "" }],
    ["a value twice", "plan=a&plan=b", { plan: "a" }],
    ["a promotional code as it was typed", "promo=%20AbC", { promo: " AbC" }],
    ["a name that was taken", "taken=1", { isNameTaken: true }],
    ["a flag without a value", "taken&cancelled=", { isNameTaken: true, isCancelled: true }],
    ["a known reason", "reason=error_network", { reason: "error_network" }],
    ["an unknown reason", "reason=because", {}],
    ["a reason named like an object's own property", "reason=toString", {}],
    [
      "the server's address after a cancelled payment",
      `${complete}&cancelled=1`,
      { plan: "price_1", domain: "mitienda", username: "lucia", promo: "abc", isCancelled: true },
    ],
    [
      "the server's address after a cancelled payment for a static site",
      "category=static&plan=price_2&domain=mitienda&lang=en&cancelled=1",
      { category: "static", nameStep: "staticName", plan: "price_2", domain: "mitienda", isCancelled: true },
    ],
  ])("%s", (_what, query, expected) => {
    const draft = new CheckoutDraft(query);
    const read = Object.fromEntries(Object.keys(nothing).map((name) => [name, draft[name as keyof CheckoutDraft]]));
    expect(read).toEqual({ ...nothing, ...expected });
  });
});

describe("the address of a step", () => {
  test.each<[WizardStep, string]>([
    ["selectCategory", "/selectcategory"],
    ["newProject", "/newproject"],
    ["wpName", "/newproject/wp/1"],
    ["wpUsername", "/newproject/wp/2"],
    ["staticName", "/newproject/static/1"],
    ["purchase", "/newproject/purchase"],
    ["newProjectError", "/newproject/error"],
  ])("%s", (step, path) => {
    expect(new CheckoutDraft(complete).pathTo(step)).toBe(`${path}?${complete}`);
  });

  test.each([
    ["nothing was chosen", "", ""],
    ["a parameter is unknown", "utm_source=mail&plan=a", "utm_source=mail&plan=a"],
    ["a parameter comes twice", "x=1&x=2", "x=1&x=2"],
    ["a value has characters of its own meaning", "promo=a%26b+c&lang=es", "promo=a%26b+c&lang=es"],
  ])("%s", (_what, query, expected) => {
    expect(new CheckoutDraft(query).pathTo("purchase")).toBe(`/newproject/purchase?${expected}`);
  });
});

describe("changing", () => {
  const draft = (query: string) => new CheckoutDraft(query);
  test.each([
    ["a first value goes to the end", draft("promo=abc").with({ category: "static" }), "promo=abc&category=static"],
    ["a new value keeps its place", draft("plan=a&promo=abc").with({ plan: "b" }), "plan=b&promo=abc"],
    [
      "several at once",
      draft("").with({ category: "wordpress", domain: "tienda" }),
      "category=wordpress&domain=tienda",
    ],
    ["without the code", draft(complete).without("promo"), complete.replace("&promo=abc", "")],
    ["without several", draft("taken=1&plan=a&cancelled=1").without("taken", "cancelled"), "plan=a"],
    ["without what it does not have", draft("plan=a").without("reason"), "plan=a"],
  ])("%s", (_what, changed, expected) => {
    expect(changed.pathTo("purchase")).toBe(`/newproject/purchase?${expected}`);
  });

  test("leaves the draft and the given query as they were", () => {
    const query = new URLSearchParams(complete);
    const original = new CheckoutDraft(query);
    original.with({ plan: "other" });
    original.without("promo");
    query.set("domain", "other");
    expect(original.pathTo("purchase")).toBe(`/newproject/purchase?${complete}`);
  });
});

describe("the checkout", () => {
  const request = { username: "lucia", project_name: "mitienda", promo: "abc", locale: "es", category: "wordpress" };
  test.each([
    ["everything", complete, { planId: "price_1", request }],
    ["no code", complete.replace("&promo=abc", ""), { planId: "price_1", request: { ...request, promo: "" } }],
    ["no category", complete.replace("category=wordpress&", ""), { planId: "price_1", request }],
    ["no plan", complete.replace("plan=price_1&", ""), undefined],
    ["an empty plan", complete.replace("plan=price_1", "plan="), undefined],
    ["no name", complete.replace("domain=mitienda&", ""), undefined],
    ["no username for WordPress", complete.replace("username=lucia&", ""), undefined],
    [
      "no username for a static site",
      "category=static&plan=price_2&domain=mitienda",
      { planId: "price_2", request: { ...request, username: "", promo: "", category: "static" } },
    ],
  ])("%s", (_what, query, expected) => {
    expect(toCheckout(new CheckoutDraft(query), "es")).toEqual(expected);
  });
});
