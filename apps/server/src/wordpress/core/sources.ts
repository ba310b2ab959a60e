import type { CoreSource } from "./CoreStore.ts";
import { coreAt } from "./configuredCore.ts";
import { coreOfDebian } from "./debian.ts";
import { coreOfWordPressOrg } from "./wordpressOrg.ts";

/** Where WordPress is taken from, in the order in which it is tried. */
export function coreSources(given: string | undefined): Record<string, CoreSource> {
  if (given) return { WORDPRESS_CORE: coreAt(given) };
  return { "wordpress.org": coreOfWordPressOrg(), Debian: coreOfDebian };
}
