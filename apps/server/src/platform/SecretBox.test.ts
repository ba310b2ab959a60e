import { expect, test } from "vitest";
import { SecretBox } from "./SecretBox.ts";

const [first, second] = ["the first secret of this test", "the second secret of this test"] as const;

test("a sealed text is opened for the same purpose only, and a changed one never", () => {
  const box = new SecretBox([first]);
  const sealed = box.seal("private", "www.example.com");
  expect(sealed.includes("private")).toBe(false);
  expect(box.open(sealed, "www.example.com")).toBe("private");
  expect(() => box.open(sealed, "other.example.com")).toThrow();
  sealed[20] = (sealed[20] ?? 0) ^ 1;
  expect(() => box.open(sealed, "www.example.com")).toThrow();
});

test("a text sealed with an old secret can be opened while that secret is still listed", () => {
  const sealed = new SecretBox([first]).seal("private", "x");
  const both = new SecretBox([second, first]);
  expect(both.open(sealed, "x")).toBe("private");
  expect(new SecretBox([second]).open(both.seal("private", "x"), "x")).toBe("private");
  expect(() => new SecretBox([second]).open(sealed, "x")).toThrow("ENCRYPTION_KEY has changed");
});
