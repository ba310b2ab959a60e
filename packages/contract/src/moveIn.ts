import type { ErrorKey } from "./errors.ts";

/** The archive of another WordPress is sent in parts of this size, so that a broken connection loses little. */
export const moveInPartBytes = 8 * 2 ** 20;

/** What an archive contains. */
export interface MoveInReport {
  files: number;
  bytes: number;
  /** the address that the site has had */
  url: string;
  tables: number;
  /** empty if the archive does not tell */
  wordpress: string;
  plugins: string[];
  themes: string[];
  /** plugins for which the platform has something of its own */
  needless: string[];
  /** files and folders of the archive that stay behind */
  left: string[];
  /** once it was moved in: tables of which something could not be brought in */
  failed?: string[];
}

/** `GET /api/projects/{id}/move-in` */
export interface MoveIn {
  /** null: nothing was sent */
  upload: {
    name: string;
    size: number;
    modified: number;
    /** bytes that have arrived */
    received: number;
    /** It is being copied from its address; `size` is an estimate until it is whole. */
    isCopying?: boolean;
    /** once it was looked through */
    report?: MoveInReport;
    /** why it cannot be moved in */
    problem?: ErrorKey;
  } | null;
}
