import { z } from "zod";

/** A request of a site's visitor, as `nido logs` shows it. Who made it is not kept. */
export interface LoggedRequest {
  /** ISO 8601 */
  at: string;
  method: string;
  /** without the query, which may say who the visitor is */
  path: string;
  status: number;
  bytes: number;
  /** hit, stale, miss or pass for a WordPress page; memory or disk for a file; none for redirects and errors */
  cache: RequestSource;
}

export type RequestSource = "hit" | "stale" | "miss" | "pass" | "memory" | "disk" | "none";

/** The requests since the last call, whose `cursor` is passed on. */
export interface RequestLogPage {
  requests: LoggedRequest[];
  cursor: string;
}

export const requestLogQuery = z.object({ cursor: z.string().max(4000).optional() });
