import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { ApiError } from "./ApiError.ts";
import { describeError } from "./describeError.ts";
import { texts } from "./texts.ts";

function errorOf(act: () => void): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

test("errors of the operating system are sentences in the user's language", () => {
  const missing = errorOf(() => readFileSync("/nowhere/at/all"));
  expect(describeError(missing, texts.es)).toEqual({ text: "No existe /nowhere/at/all", exitCode: 1 });
  expect(describeError(missing, texts.en).text).toBe("There is no /nowhere/at/all");
  const folder = errorOf(() => writeFileSync(tmpdir(), "x"));
  expect(describeError(folder, texts.es).text).toBe(`Es una carpeta, y no un archivo: ${tmpdir()}`);
});

test.each(["error_disk_full", "error_storage_full", "error_files_too_many"] as const)(
  "%s has the exit code of the plan's limits, and shows the numbers",
  (key) => {
    const { text, exitCode } = describeError(new ApiError(key, "5001 MB / 5000 MB"), texts.en);
    expect([text, exitCode]).toEqual([`${texts.en.errors[key]} (5001 MB / 5000 MB)`, 5]);
  },
);
