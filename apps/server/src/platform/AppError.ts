import { type ErrorKey, errorStatuses } from "@nido/contract";

/** A failure the customer is told of, by its key. Anything else that is thrown is a bug. */
export class AppError extends Error {
  override name = "AppError";
  readonly key: ErrorKey;
  readonly status: number;

  /** what it is about, such as a file's name */
  readonly detail: string | undefined;

  constructor(key: ErrorKey, { detail, ...options }: ErrorOptions & { detail?: string } = {}) {
    super(key, options);
    this.key = key;
    this.detail = detail;
    this.status = errorStatuses[key];
  }
}
