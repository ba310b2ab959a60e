import type { Performers } from "../jobs/startJobs.ts";
import { provisionWordPress } from "./provisionWordPress.ts";
import type { WordPress } from "./WordPress.ts";

/** What WordPress sites need in the background. */
export function wordpressJobs(wordpress: WordPress): Performers {
  return {
    provisionWordPress: (wish, attempt) => provisionWordPress(wordpress, wish, attempt),
  };
}
