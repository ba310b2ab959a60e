import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSettings, writeSettings } from "./projectSettings.ts";

function createFolder(settings: object) {
  const folder = mkdtempSync(join(tmpdir(), "nido-settings-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "nido.json"), JSON.stringify(settings));
  mkdirSync(join(folder, "below"));
  return folder;
}

test("settings are found above, and what is not changed stays", () => {
  const folder = createFolder({ folder: "dist", build: "npm run build" });
  expect(findSettings(join(folder, "below"))).toMatchObject({ folder, settings: { build: "npm run build" } });
  writeSettings(folder, { project: "folio", folder: "out" });
  expect(JSON.parse(readFileSync(join(folder, "nido.json"), "utf8"))).toEqual({
    project: "folio",
    folder: "out",
    build: "npm run build",
  });
});

test("a value of another type is named", () => {
  expect(() => findSettings(createFolder({ project: "folio", folder: ["dist"] }))).toThrow("folder");
});

test.skipIf(process.getuid?.() !== 0)("another user's settings above this folder do not count (needs root)", () => {
  const folder = createFolder({ project: "folio", folder: ".", build: "touch /tmp/pwned" });
  chownSync(join(folder, "nido.json"), 65_534, 65_534);
  expect(findSettings(join(folder, "below"))).toBeUndefined();
  expect(findSettings(folder)?.settings.project).toBe("folio");
});
