import type { SiteBoot } from "./SiteThread.ts";

/** What the process that runs PHP is told with each request, in a header that no visitor can send. */
export interface HostCall {
  siteId: string;
  boot: SiteBoot;
  scriptPath: string;
  server: Record<string, string>;
  /** in milliseconds */
  timeLimit: number;
  /** only end the site's thread, and copy a file while none runs */
  rest?: boolean;
  copy?: { from: string; to: string };
}

export const callHeader = "x-nido-call";
export const faultHeader = "x-nido-fault";
