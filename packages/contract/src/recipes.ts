export const recipes = ["static_starter", "wordpress_starter", "wordpress_pro", "wordpress_business"] as const;
export type Recipe = (typeof recipes)[number];

export const categories = ["wordpress", "static"] as const;
export type Category = (typeof categories)[number];
export const defaultCategory: Category = "wordpress";

export function isCategory(value: unknown): value is Category {
  return categories.includes(value as Category);
}

export function categoryOf(recipe: Recipe): Category {
  return recipe.startsWith("wordpress") ? "wordpress" : "static";
}

export const intervals = ["year", "month"] as const;
export type Interval = (typeof intervals)[number];
