import type { Db, Tx } from "../db/connect.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import type { SecretBox } from "../platform/SecretBox.ts";

/** What the flows of an account work with. */
export interface Accounts {
  db: Db;
  limiter: RateLimiter;
  /** encrypts links and codes in the outbox, and secrets of authenticator apps */
  box: SecretBox;
  /** whether messages can be sent */
  canMail: boolean;
  brand: string;
  appUrl: URL;
  /** how long a session lasts at most */
  sessionDays: number;
  /** the accounts that must have a second factor: addresses, or `@domain` */
  secondFactorFor: string[];
  /** Ends the customer's CLI logins and tokens. */
  endTokens(tx: Tx, userId: string): Promise<void>;
  /** Updates the customer at the payment provider. */
  onEmailChanged(tx: Tx, userId: string): Promise<void>;
}
