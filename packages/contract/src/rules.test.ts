import { describe, expect, test } from "vitest";
import { isUsername, normalizeSiteName, normalizeUsername, passwordFault, siteNameRules } from "./index.ts";

describe("a password", () => {
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
  ])("%j: %s", (password, fault) => {
    expect(passwordFault(password)).toBe(fault);
  });
});

describe("a site's name", () => {
  test.each([
    ["abcd", false],
    ["abcde", true],
    ["a1b2c3", true],
    ["x".repeat(20), true],
    ["x".repeat(21), false],
    ["mi-tienda", false],
    ["Tienda", false],
    ["tiendá", false],
    ["", false],
  ])("%j: %s", (name, isValid) => {
    expect(Object.values(siteNameRules).every((holds) => holds(name))).toBe(isValid);
  });

  test("is lowercased and loses its white space as typed", () => {
    expect(normalizeSiteName(" Mi Tienda\t24 ")).toBe("mitienda24");
  });
});

describe("a WordPress username", () => {
  test.each([
    ["ana", false],
    ["anna", true],
    ["ana.m-1_x", true],
    ["a".repeat(12), true],
    ["a".repeat(13), false],
    ["myadmin", false],
    ["AdMiN1", false],
    ["añadir", false],
    ["an na", false],
    ["", false],
  ])("%j: %s", (name, isValid) => {
    expect(isUsername(name)).toBe(isValid);
  });

  test("loses its spaces and everything past 12 characters as typed", () => {
    expect(normalizeUsername(" my name is too long ")).toBe("mynameistool");
  });
});
