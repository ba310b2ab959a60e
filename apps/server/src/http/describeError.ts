import { type ErrorKey, errorStatuses } from "@nido/contract";
import { AppError } from "../platform/AppError.ts";

/** The part of an error that the client sees: a key, its HTTP status, and a detail such as a file name. */
export function describeError(error: unknown): { key: ErrorKey; status: number; detail?: string } {
  const key = keyOf(error);
  const detail = error instanceof AppError ? error.detail : undefined;
  return { key, status: errorStatuses[key], ...(detail !== undefined && { detail }) };
}

function keyOf(error: unknown): ErrorKey {
  if (error instanceof AppError) return error.key;
  // Fastify's own errors (malformed JSON, body too large, wrong media type) carry a status code.
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status === 413) return "error_body_too_large";
  if (status === 415) return "error_media_type";
  if (status === 429) return "error_too_many_requests";
  if (status === 404) return "error_not_found";
  return status >= 400 && status < 500 ? "error_invalid_input" : "error_unknown";
}
