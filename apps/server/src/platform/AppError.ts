import { type ErrorKey, errorStatuses } from "@nido/contract";

/** An expected failure, shown to the customer by its key. Any other error is a bug. */
export class AppError extends Error {
  override name = "AppError";
  readonly key: ErrorKey;
  readonly status: number;
  /** the subject of the error, such as a file name */
  readonly detail: string | undefined;

  constructor(key: ErrorKey, { detail, ...options }: ErrorOptions & { detail?: string } = {}) {
    super(key, options);
    this.key = key;
    this.detail = detail;
    this.status = errorStatuses[key];
  }
}
