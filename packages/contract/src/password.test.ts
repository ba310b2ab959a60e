import { describe, expect, test } from "vitest";
import { passwordFault } from "./password.ts";

describe("passwordFault", () => {
  test.each([
    ["", "error_password_empty"],
    ["Abc123", "error_password_too_short"],
    ["Abcdef1", "error_password_too_short"],
    ["abcdefg1", "error_password_invalid"],
    ["ABCDEFG1", "error_password_invalid"],
    ["Abcdefgh", "error_password_invalid"],
    ["Abcdef 1", "error_password_invalid"],
    ["Abcdef\t1", "error_password_invalid"],
    [`Aa1${"x".repeat(254)}`, "error_password_too_long"],
    ["Abcdefg1", undefined],
    ["Ñandúes1", undefined],
    ["Aa1!@#$%", undefined],
  ])("of %j is %s", (password, fault) => {
    expect(passwordFault(password)).toBe(fault);
  });
});
