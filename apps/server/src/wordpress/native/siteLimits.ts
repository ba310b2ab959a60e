import { type Recipe, resourcesOf } from "@nido/contract";
import type { SiteLimits } from "./Cgroups.ts";

const megabyte = 2 ** 20;
/** Memory of a PHP-FPM besides its requests: the opcode cache and the processes themselves. */
const fpmMemory = 128 * megabyte;
/** The megabytes of a plan's memory that a PHP process at work takes on average. */
const memoryPerChild = 32;
const starterMemory = 128;

/** What a site on the native runtime may use. The kernel and MariaDB enforce it, so PHP code cannot change it. */
export function siteLimits(recipe: Recipe) {
  const { memory, disk } = resourcesOf(recipe);
  const children = memory / memoryPerChild;
  const group: SiteLimits = {
    // Two requests that use the plan's memory in full, at the same time.
    memory: 2 * memory * megabyte + fpmMemory,
    cpuWeight: (100 * memory) / starterMemory,
    tasks: children + 48,
  };
  return {
    group,
    /** PHP processes, each of which handles one request */
    children,
    disk,
    database: {
      // Each PHP process needs one connection; plugins sometimes open a second.
      connections: children + 4,
      /** of one statement, in seconds: as long as a request of the platform itself may take */
      statementSeconds: 120,
    },
  };
}

/**
 * What ImageMagick may use, which PHP's own limit does not cover. Larger images are mapped from files, so that the
 * kernel can write them out when memory is short.
 */
export function imageLimits(recipe: Recipe): Record<string, string> {
  const { memory } = resourcesOf(recipe);
  return {
    MAGICK_MEMORY_LIMIT: `${memory / 2}MiB`,
    MAGICK_MAP_LIMIT: `${4 * memory}MiB`,
    MAGICK_THREAD_LIMIT: "1",
  };
}
