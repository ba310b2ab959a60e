/** An error returned by a certificate authority (RFC 8555, 6.7). */
export class AcmeProblem extends Error {
  /** without its common prefix, for example `rateLimited` */
  readonly type: string;
  readonly status: number;
  /** when to try again, if the authority said so */
  readonly retryAt: Date | undefined;

  constructor(problem: unknown, status: number, retryAt?: Date) {
    const { type, detail } = describe(problem);
    super(`${type}: ${detail}`);
    this.type = type;
    this.status = status;
    this.retryAt = retryAt;
  }
}

function describe(problem: unknown): { type: string; detail: string } {
  const { type, detail, subproblems } = (problem ?? {}) as Record<string, unknown>;
  // The reason is often in a subproblem, for example that a CAA record forbids it.
  const [first] = Array.isArray(subproblems) ? subproblems : [];
  if (type === "urn:ietf:params:acme:error:compound" && first) return describe(first);
  return {
    type: String(type ?? "unknown").replace("urn:ietf:params:acme:error:", ""),
    detail: String(detail ?? "no detail").slice(0, 500),
  };
}
