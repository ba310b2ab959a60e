/** Customers who use more than this part of their storage are warned. */
export const lowStorage = 0.8;

/** A published version of a static site, or one whose files are still being sent. */
export interface Deploy {
  id: string;
  branch: string;
  message: string;
  /** ISO 8601 */
  created_at: string;
  /** absent while its files are being sent */
  finished_at?: string;
  /** its permanent address; absent while it is being sent, and where sites have no common certificate */
  url?: string;
  files: number;
  /** in bytes */
  size: number;
  /** how many files differ from the version before it */
  changes: { added: number; changed: number; removed: number };
  /** how many probable mistakes were noticed before it was published */
  findings: number;
  /** the token or browser that published it; empty if unknown */
  author: string;
  /** share of the missing bytes that have arrived, from 0 to 1 */
  progress: number;
}

/** A branch of a static site, with its own address. */
export interface Branch {
  url: string;
  /** the id of the deploy that is live on this branch */
  deploy: string;
  /** the deploy that a roll-back shows again */
  previous?: string;
  /** since when it shows this deploy, in ISO 8601 */
  changed_at: string;
}
