import { type ErrorKey, errorStatuses } from "@nido/contract";

/** A failure the customer is told of, by its key. Anything else that is thrown is a bug. */
export class AppError extends Error {
  override name = "AppError";
  readonly key: ErrorKey;
  readonly status: number;

  constructor(key: ErrorKey, options?: ErrorOptions) {
    super(key, options);
    this.key = key;
    this.status = errorStatuses[key];
  }
}
