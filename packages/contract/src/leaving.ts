import { z } from "zod";
import { emailMaxLength } from "./accounts.ts";

/** An archive of the customer's data: `GET /api/account/export`. */
export interface DataExport {
  id: string;
  state: "running" | "ready" | "failed";
  /** in percent */
  progress: number;
  /** in bytes, once it is ready */
  size: number;
  /** ISO 8601; then it is removed */
  expires_at: string;
}

/** `POST /api/account/close`: the customer types the account's e-mail address */
export const closeAccountSchema = z.strictObject({ email: z.string().max(emailMaxLength) });
