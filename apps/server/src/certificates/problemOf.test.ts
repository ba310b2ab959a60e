import { expect, test } from "vitest";
import { AcmeProblem } from "./acme/AcmeProblem.ts";
import { problemOf } from "./problemOf.ts";

const prefix = "urn:ietf:params:acme:error:";
const problem = (type: string, status = 400) => new AcmeProblem({ type: prefix + type, detail: "why" }, status);

test("an authority's errors become reasons that a customer understands", () => {
  expect(problemOf(problem("caa", 403))).toMatchObject({ key: "error_certificate_caa", isFinal: true });
  expect(problemOf(problem("dns"))).toMatchObject({ key: "error_certificate_unreachable", isFinal: true });
  expect(problemOf(problem("rejectedIdentifier"))).toMatchObject({ key: "error_certificate_rejected" });
  expect(problemOf(problem("serverInternal", 500))).toMatchObject({
    key: "error_certificate_authority",
    isFinal: false,
  });
  expect(problemOf(new TypeError("fetch failed"))).toMatchObject({
    key: "error_certificate_authority",
    isFinal: false,
  });
  const compound = { type: `${prefix}compound`, subproblems: [{ type: `${prefix}caa`, detail: "forbidden" }] };
  expect(problemOf(new AcmeProblem(compound, 403)).key).toBe("error_certificate_caa");
});

test("a rate-limited order waits until the time that the authority gives", () => {
  const retryAt = new Date("2026-12-01T00:00:00Z");
  const limited = new AcmeProblem({ type: `${prefix}rateLimited` }, 429, retryAt);
  expect(problemOf(limited)).toEqual({ key: "error_certificate_rate_limit", isFinal: true, retryAt });
});
