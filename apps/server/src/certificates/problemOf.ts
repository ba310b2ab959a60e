import type { ErrorKey } from "@nido/contract";
import { AcmeProblem } from "./acme/AcmeProblem.ts";

const keys: Record<string, ErrorKey> = {
  caa: "error_certificate_caa",
  rateLimited: "error_certificate_rate_limit",
  connection: "error_certificate_unreachable",
  dns: "error_certificate_unreachable",
  unauthorized: "error_certificate_unreachable",
  incorrectResponse: "error_certificate_unreachable",
  tls: "error_certificate_unreachable",
  rejectedIdentifier: "error_certificate_rejected",
  unsupportedIdentifier: "error_certificate_rejected",
};

/** Refusals of a request, after which the order can still succeed. */
const transient = new Set(["orderNotReady", "badNonce"]);

interface Problem {
  key: ErrorKey;
  /** The order cannot succeed any more. Otherwise a later attempt resumes it. */
  isFinal: boolean;
  retryAt: Date | undefined;
}

/** What went wrong with an order, in the customer's terms. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof AcmeProblem))
    return { key: "error_certificate_authority", isFinal: false, retryAt: undefined };
  const key = keys[error.type];
  return {
    key: key ?? "error_certificate_authority",
    isFinal: key !== undefined || (error.status < 500 && !transient.has(error.type)),
    retryAt: error.retryAt,
  };
}
