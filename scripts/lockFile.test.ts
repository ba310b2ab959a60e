import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

interface Entry {
  version?: string;
  integrity?: string;
  link?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const root = resolve(import.meta.dirname, "..");
const { packages }: { packages: Record<string, Entry> } = JSON.parse(
  readFileSync(resolve(root, "package-lock.json"), "utf8"),
);
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && !link);

test("every package that npm installs on Linux with glibc, on x64 and arm64, has a hash in the lock file", () => {
  const needed = installed.filter(
    ([, { os = ["linux"], cpu = ["x64"], libc = ["glibc"] }]) =>
      os.includes("linux") && (cpu.includes("x64") || cpu.includes("arm64")) && libc.includes("glibc"),
  );
  expect(needed.length).toBeGreaterThan(400);
  expect(needed.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
});

test("the lock file names no address to fetch a package from", () => {
  expect(installed.filter(([, entry]) => "resolved" in entry).map(([path]) => path)).toEqual([]);
});
