/** One part of `npm run bench`. */
export interface Benchmark {
  title: string;
  /** Debian packages that it runs. */
  packages: string[];
  /** Why it cannot run on this machine although the packages are installed. */
  whyNot?: () => string | undefined;
  run: (report: Report) => Promise<void>;
}

/** Nido compared with one peer: another program that does the same work. */
export interface Measurement {
  name: string;
  peer: string;
  measure: "requests/s" | "time" | "bytes";
  /** Nido's figure divided by the peer's, one ratio per round. */
  ratios: number[];
}

export type Report = (measurement: Measurement) => void;
