// @vitest-environment happy-dom
import { errorTexts as errorsEn } from "@nido/contract/errorTexts/en";
import { errorTexts as errorsEs } from "@nido/contract/errorTexts/es";
import { conflict } from "@nido/redux-remote/client";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { en } from "../i18n/en.ts";
import { es } from "../i18n/es.ts";
import { loadTexts, showLanguage, startLanguage } from "../i18n/language.ts";
import { useErrorText } from "./useErrorText.ts";

beforeAll(async () => {
  await startLanguage();
  await loadTexts("errors");
});
afterEach(cleanup);

test.each([
  ["es", "error_name_taken", errorsEs.error_name_taken],
  ["en", "error_name_taken", errorsEn.error_name_taken],
  ["es", "error_made_up", errorsEs.error_unknown],
  ["en", "error_made_up", errorsEn.error_unknown],
  ["en", "toString", errorsEn.error_unknown],
  ["es", conflict.error, es.conflict],
  ["en", conflict.error, en.conflict],
] as const)("%s: %s", async (lang, error, text) => {
  await showLanguage(lang);
  const { result } = renderHook(useErrorText);
  expect(result.current(error)).toBe(text);
});

test("the texts follow a change of the language", async () => {
  await showLanguage("es");
  const { result } = renderHook(useErrorText);
  await act(() => showLanguage("en"));
  expect(result.current("error_network")).toBe(errorsEn.error_network);
});
