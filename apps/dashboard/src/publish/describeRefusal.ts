import type { TFunction } from "i18next";
import { ApiError } from "../api/api.ts";

/** The server's reason with its numbers or the file that it concerns; undefined if it is not the server that refused. */
export function describeRefusal(t: TFunction, error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const text = t(`errors.${error.key}`);
  return error.detail === undefined ? text : `${text} (${error.detail})`;
}
