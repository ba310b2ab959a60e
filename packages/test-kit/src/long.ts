import { test } from "vitest";

/** Set by `npm run test:long`, which also runs the tests that take long. */
export const isLong = process.env["NIDO_TEST_LONG"] === "1";

/** A test that takes long. `npm test` skips it. */
export const testLong = test.runIf(isLong);
