export const trafficRanges = ["day", "month", "year"] as const;
/** The last 24 hours by hour, 30 days by day, or 12 months by month. */
export type TrafficRange = (typeof trafficRanges)[number];

/** A step of `GET /api/projects/{id}/traffic?range=…` */
export interface TrafficPoint {
  /** its beginning, ISO 8601 */
  at: string;
  requests: number;
  /** requests of programs */
  bots: number;
  /** pages that people opened */
  views: number;
  /** pages that they came to from elsewhere */
  visits: number;
  bytes: number;
  php_ms: number;
}
