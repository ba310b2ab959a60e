// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { chooseTheme, useTheme } from "./theme.ts";

// The module looks at the system's colour scheme when it is imported.
const system = vi.hoisted(() => {
  const query = Object.assign(new EventTarget(), { matches: false });
  globalThis.matchMedia = () => query as unknown as MediaQueryList;
  return {
    turn(theme: "light" | "dark") {
      query.matches = theme === "dark";
      query.dispatchEvent(new Event("change"));
    },
  };
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  system.turn("light");
});

test.each([
  ["light", null, "light"],
  ["dark", null, "dark"],
  ["light", "dark", "dark"],
  ["dark", "light", "light"],
  ["dark", "purple", "dark"],
] as const)("the system is %s, %s is stored: %s", (ofSystem, stored, expected) => {
  if (stored) localStorage.setItem("theme", stored);
  system.turn(ofSystem);
  expect(renderHook(useTheme).result.current).toBe(expected);
  expect(document.documentElement.dataset["theme"]).toBe(expected);
});

test("a chosen theme is shown and stored", () => {
  const { result } = renderHook(useTheme);
  act(() => chooseTheme("dark"));
  expect(result.current).toBe("dark");
  expect(localStorage.getItem("theme")).toBe("dark");
  expect(document.documentElement.dataset["theme"]).toBe("dark");
});

test("without a choice the theme follows the system", () => {
  const { result } = renderHook(useTheme);
  act(() => system.turn("dark"));
  expect(result.current).toBe("dark");
});

test("a theme chosen in another tab is shown here", () => {
  const { result } = renderHook(useTheme);
  localStorage.setItem("theme", "dark");
  act(() => void dispatchEvent(new Event("storage")));
  expect(result.current).toBe("dark");
});
