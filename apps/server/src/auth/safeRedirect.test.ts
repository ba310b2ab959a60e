import { expect, test } from "vitest";
import { safeRedirect } from "./safeRedirect.ts";

const appUrl = new URL("http://localhost:3000");

test.each(["/", "/settings", "/newproject/purchase?plan=a&domain=b", "/projects/1?q=%2F%2Fevil", "/a/../b"])(
  "%s is an allowed redirect",
  (path) => {
    expect(safeRedirect(appUrl, path).href).toBe(new URL(path, appUrl).href);
  },
);

test.each([
  undefined,
  "",
  "settings",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "https:evil.example",
  "https://evil.example",
  "http:/\\evil.example",
  "javascript:alert(1)",
  "/\tevil",
  "/\t/evil.example",
  "/\n/evil.example",
  "\u0000//evil.example",
  " //evil.example",
  "/\u0085/evil.example",
  "@evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
])("%j redirects to the start page instead (open redirect)", (path) => {
  expect(safeRedirect(appUrl, path).href).toBe("http://localhost:3000/");
});

test("the returned URL is a copy: changing it does not change the app's URL", () => {
  safeRedirect(appUrl, undefined).searchParams.set("signin_error", "x");
  safeRedirect(appUrl, "//evil.example").pathname = "/x";
  expect(appUrl.href).toBe("http://localhost:3000/");
});

test("a path that normalises to two slashes stays on the origin", () => {
  for (const path of ["/.//evil.example", "/x/..//evil.example", "/%2e//evil.example"]) {
    expect(safeRedirect(appUrl, path).origin).toBe(appUrl.origin);
  }
});
