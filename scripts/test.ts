// Runs the whole test suite, or the parts named as arguments: check, unit, browser.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildDashboard } from "./buildDashboard.ts";
import { check } from "./check.ts";
import { domainPackages, installSystemPackages, nativePackages } from "./installSystemPackages.ts";
import { run } from "./run.ts";

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const results = resolve(import.meta.dirname, "../test-results");
const parts = { check: runCheck, unit: runUnit, browser: runBrowser };
type Part = keyof typeof parts;

const named = process.argv.slice(2) as Part[];
const selected = named.length > 0 ? named : (Object.keys(parts) as Part[]);
rmSync(results, { recursive: true, force: true });
mkdirSync(results);

const total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const part of selected) {
  console.log(`\n— ${part}`);
  const { passed, failed, skipped } = await parts[part]();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

async function runCheck(): Promise<Count> {
  const isClean = await check();
  return { passed: isClean ? 1 : 0, failed: isClean ? 0 : 1, skipped: 0 };
}

async function runUnit(): Promise<Count> {
  const missing = await installSystemPackages([...nativePackages, ...domainPackages]);
  if (missing.length > 0) console.log(`Some tests are skipped: ${missing.join(", ")} could not be installed.`);
  const report = join(results, "unit.json");
  const code = await run("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
  const { numPassedTests, numFailedTests, numPendingTests } = readReport(report);
  return toCount(numPassedTests, numFailedTests, numPendingTests, code);
}

async function runBrowser(): Promise<Count> {
  const missing = await installSystemPackages(["chromium"]);
  if (missing.length > 0) {
    console.log(`The browser tests are skipped: ${missing.join(", ")} could not be installed.`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  await buildDashboard();
  const report = join(results, "browser.json");
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const code = await run("playwright", ["test", "--reporter=list,json"], { cwd: resolve(results, "../e2e"), env });
  const { stats } = readReport(report);
  return toCount(stats?.expected, (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), stats?.skipped, code);
}

/** If a runner fails without reporting a failed test, that counts as one failure. */
function toCount(passed = 0, failed = 0, skipped = 0, code = 1): Count {
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1), skipped };
}

function readReport(file: string) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}
