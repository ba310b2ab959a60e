import { describe, expect, test } from "vitest";
import { isUsername, normalizeSiteName, normalizeUsername, siteNameRules } from "./siteName.ts";

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
  ])("%j is valid: %s", (name, isValid) => {
    expect(Object.values(siteNameRules).every((holds) => holds(name))).toBe(isValid);
  });

  test("is normalised to lower case without white space", () => {
    expect(normalizeSiteName(" Mi Tienda\t24 ")).toBe("mitienda24");
    expect(normalizeSiteName("Panadería Ñu")).toBe("panaderianu");
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
  ])("%j is valid: %s", (name, isValid) => {
    expect(isUsername(name)).toBe(isValid);
  });

  test("is normalised to 12 characters without spaces", () => {
    expect(normalizeUsername(" my name is too long ")).toBe("mynameistool");
  });
});
