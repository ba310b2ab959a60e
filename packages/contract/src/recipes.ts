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

/** The resource limits of a project. */
export interface Resources {
  /** megabytes per PHP request */
  memory: number;
  /** bytes */
  disk: number;
}

const gigabyte = 1e9;
const resources: Record<Recipe, Resources> = {
  static_starter: { memory: 0, disk: gigabyte },
  wordpress_starter: { memory: 128, disk: 15 * gigabyte },
  wordpress_pro: { memory: 256, disk: 25 * gigabyte },
  wordpress_business: { memory: 512, disk: 40 * gigabyte },
};

export function resourcesOf(recipe: Recipe): Resources {
  return resources[recipe];
}
