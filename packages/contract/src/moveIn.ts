import { z } from "zod";
import type { ErrorKey } from "./errors.ts";

/** The archive of another WordPress is sent in parts of this size, so that a broken connection loses little. */
export const moveInPartBytes = 8 * 2 ** 20;

/** `POST /api/projects/{id}/move-in` */
export const newMoveInSchema = z.strictObject({
  name: z.string().min(1).max(255),
  size: z.int().min(1),
  /** when the file was last changed, in milliseconds since 1970: another export may have the same name and size */
  modified: z.int().min(0),
});

/** `POST /api/projects/{id}/move-in/source`: a site that has our plugin is copied from its address. */
export const moveInSourceSchema = z.strictObject({
  url: z.string().trim().min(3).max(300),
  user: z.string().trim().min(1).max(100),
  /** an application password */
  password: z.string().trim().min(1).max(200),
});
export type MoveInSource = z.infer<typeof moveInSourceSchema>;

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
