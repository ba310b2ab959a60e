import { expect, test } from "vitest";
import { fittingRecipe } from "./planChange.ts";
import { type Recipe, resourcesOf } from "./recipes.ts";

const of = (recipe: Recipe) => resourcesOf(recipe);
const starter = of("wordpress_starter");
const pro = of("wordpress_pro");
const business = of("wordpress_business");
const use = (disk: number, memory?: number) => ({
  disk,
  php_seconds: 90_000,
  visits: 1_000_000,
  ...(memory !== undefined && { memory }),
});

test.each([
  ["nothing is measured", use(0), false, undefined],
  ["little is used", use(1e6, 40), false, "wordpress_starter"],
  ["a staging copy needs a plan that has one", use(1e6, 40), true, "wordpress_pro"],
  ["four fifths of a plan are comfortable", use(starter.disk * 0.8, starter.memory * 0.8), false, "wordpress_starter"],
  ["more disk than that", use(starter.disk * 0.81, 40), false, "wordpress_pro"],
  ["more memory than that", use(1e6, pro.memory * 0.81), false, "wordpress_business"],
  ["nearly all of the largest plan", use(business.disk * 0.9, 40), false, undefined],
])("the plan that is enough: %s", (_what, used, needsStaging, recipe) =>
  expect(fittingRecipe(used, needsStaging)).toBe(recipe),
);
