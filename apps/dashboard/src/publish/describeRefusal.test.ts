import type { TFunction } from "i18next";
import { expect, test } from "vitest";
import { ApiError } from "../api/api.ts";
import { describeRefusal } from "./describeRefusal.ts";

const t = ((key: string) => key) as TFunction;

test("a refusal is shown with its numbers, and other errors are not called a refusal", () => {
  const full = new ApiError(413, "error_storage_full", "5001 MB / 5000 MB");
  expect(describeRefusal(t, full)).toBe("errors.error_storage_full (5001 MB / 5000 MB)");
  expect(describeRefusal(t, new ApiError(413, "error_storage_full"))).toBe("errors.error_storage_full");
  expect(describeRefusal(t, new TypeError("Failed to fetch"))).toBeUndefined();
});
