// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { useTranslation } from "react-i18next";
import { afterEach, beforeAll, expect, test } from "vitest";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { chooseLanguage, currentLanguage, preferredLanguage, showLanguage, startLanguage } from "./language.ts";

beforeAll(startLanguage);
afterEach(() => {
  cleanup();
  localStorage.clear();
  history.replaceState(null, "", "/");
});

test.each([
  ["/", null, undefined],
  ["/?lang=en", null, "en"],
  ["/?lang=es", "en", "es"],
  ["/?lang=fr", "en", "en"],
  ["/?lang=fr", null, undefined],
  ["/", "en", "en"],
  ["/", "fr", undefined],
] as const)("%s with %s stored: %s", (address, stored, expected) => {
  history.replaceState(null, "", address);
  if (stored) localStorage.setItem("lang", stored);
  expect(preferredLanguage()).toBe(expected);
});

test("the language in the address is remembered", () => {
  history.replaceState(null, "", "/?lang=en");
  preferredLanguage();
  history.replaceState(null, "", "/");
  expect(preferredLanguage()).toBe("en");
});

test("the dashboard starts in Spanish", () => {
  expect(currentLanguage()).toBe("es");
  expect(document.documentElement.lang).toBe("es");
});

test("a chosen language is shown and remembered, one that is only shown is not", async () => {
  const { result } = renderHook(() => useTranslation().t("common.save"));
  await act(() => showLanguage("en"));
  expect(result.current).toBe(en.common.save);
  expect(document.documentElement.lang).toBe("en");
  expect(localStorage.getItem("lang")).toBeNull();

  await act(() => chooseLanguage("es"));
  expect(result.current).toBe(es.common.save);
  expect(localStorage.getItem("lang")).toBe("es");
});

test("a language chosen in another tab is shown here", async () => {
  await showLanguage("es");
  dispatchEvent(new StorageEvent("storage", { key: "lang", newValue: "en" }));
  await expect.poll(currentLanguage).toBe("en");
});
