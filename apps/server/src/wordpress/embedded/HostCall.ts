import type { SiteBoot } from "./SiteThread.ts";

/** Sent to the PHP host process with each request, in a header that visitors cannot set. */
export interface HostCall {
  siteId: string;
  boot: SiteBoot;
  scriptPath: string;
  server: Record<string, string>;
  /** in milliseconds */
  timeLimit: number;
  endsWithReader: boolean;
  /** Only stop the site's thread, and copy a file while it is stopped. */
  stop?: boolean;
  copy?: { from: string; to: string };
}

export const callHeader = "x-nido-call";
export const faultHeader = "x-nido-fault";
