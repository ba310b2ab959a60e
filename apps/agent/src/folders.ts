import { join } from "node:path";
import { inPod } from "@nido/server/wordpress/kubernetes/agentProtocol";

const state = join(inPod.site, "state");

/** The site's folders on its volume. */
export const folders = {
  content: join(inPod.site, "wp-content"),
  state,
  pages: join(state, "pages"),
  nextCron: join(state, "next-cron"),
  memory: join(state, "memory"),
  mail: join(inPod.site, "mail"),
};
