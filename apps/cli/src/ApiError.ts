import type { ErrorKey } from "@nido/contract";

/** An error response of the server, or `error_network` when the server could not be reached. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly key: ErrorKey;
  readonly detail: string | undefined;
  /** digests of the files that the server still lacks */
  readonly missing: string[];

  constructor(
    key: ErrorKey,
    detail?: string,
    { missing = [], ...options }: ErrorOptions & { missing?: string[] } = {},
  ) {
    super(detail === undefined ? key : `${key}: ${detail}`, options);
    this.key = key;
    this.detail = detail;
    this.missing = missing;
  }
}
