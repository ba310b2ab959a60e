import type { CoreSource } from "./CoreStore.ts";
import { configuredCore } from "./configuredCore.ts";
import { coreOfDebian } from "./debian.ts";
import { coreOfStudio } from "./studio.ts";
import { coreOfWordPressOrg } from "./wordpressOrg.ts";

/** The sources of WordPress, in the order in which they are tried. */
export function coreSources(configured: string | undefined): Record<string, CoreSource> {
  if (configured) return { WORDPRESS_CORE: configuredCore(configured) };
  return { "wordpress.org": coreOfWordPressOrg(), npm: coreOfStudio, Debian: coreOfDebian };
}
