// Runs the whole test suite, or the parts named as arguments: check, unit, browser.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { buildDashboard } from "./buildDashboard.ts";
import { check } from "./check.ts";
import { domainPackages, installSystemPackages, nativePackages, shellPackages } from "./installSystemPackages.ts";
import { run } from "./run.ts";

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** Only the fields that are read here, of Playwright's report. */
interface Suite {
  suites?: Suite[];
  specs?: { title: string; file: string; ok: boolean; tests: { results: { error?: { message?: string } }[] }[] }[];
}

const results = resolve(import.meta.dirname, "../test-results");
const parts = { check: runCheck, unit: runUnit, browser: runBrowser };
type Part = keyof typeof parts;

const named = process.argv.slice(2) as Part[];
const selected = named.length > 0 ? named : (Object.keys(parts) as Part[]);
rmSync(results, { recursive: true, force: true });
mkdirSync(results);

const total: Count = { passed: 0, failed: 0, skipped: 0 };
const failures: string[] = [];
for (const part of selected) {
  console.log(`\n— ${part}`);
  const { passed, failed, skipped } = await parts[part]();
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
// Said again here, because a long log is often kept only from its end.
for (const failure of failures) console.log(`\nFailed: ${stripVTControlCharacters(failure)}`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

async function runCheck(): Promise<Count> {
  const isClean = await check();
  return { passed: isClean ? 1 : 0, failed: isClean ? 0 : 1, skipped: 0 };
}

async function runUnit(): Promise<Count> {
  const missing = await installSystemPackages([...nativePackages, ...domainPackages, ...shellPackages]);
  if (missing.length > 0) console.log(`Some tests are skipped: ${missing.join(", ")} could not be installed.`);
  console.log("Tests that take long are skipped. `npm run test:long` runs them.");
  const report = join(results, "unit.json");
  const code = await run("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]);
  const { numPassedTests, numFailedTests, numPendingTests, testResults = [] } = readReport(report);
  for (const { name, message, assertionResults } of testResults) {
    if (message) failures.push(`${name}\n${message}`);
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === "failed") failures.push(`${name} › ${fullName}\n${failureMessages.join("\n")}`);
    }
  }
  return toCount("vitest", code, numPassedTests, numFailedTests, numPendingTests);
}

async function runBrowser(): Promise<Count> {
  const missing = await installSystemPackages(["chromium"]);
  if (missing.length > 0) {
    console.log(`The browser tests are skipped: ${missing.join(", ")} could not be installed.`);
    return { passed: 0, failed: 0, skipped: 1 };
  }
  console.log("Journeys that take long, and those in English, are skipped. `npm run test:long` runs them.");
  await buildDashboard();
  const report = join(results, "browser.json");
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  const code = await run("playwright", ["test", "--reporter=list,json"], { cwd: resolve(results, "../e2e"), env });
  const { stats, suites = [] } = readReport(report);
  for (const suite of suites) failures.push(...failedSpecs(suite));
  return toCount("playwright", code, stats?.expected, (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), stats?.skipped);
}

function failedSpecs({ suites = [], specs = [] }: Suite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, file, tests }) => {
      const messages = tests.flatMap(({ results }) => results.map(({ error }) => error?.message ?? ""));
      return `${file} › ${title}\n${messages.join("\n")}`;
    });
  return [...own, ...suites.flatMap(failedSpecs)];
}

/** If a runner fails without reporting a failed test, that counts as one failure. */
function toCount(runner: string, code: number, passed = 0, failed = 0, skipped = 0): Count {
  if (code === 0 || failed > 0) return { passed, failed, skipped };
  failures.push(`${runner} ended with code ${code} and reported no failed test`);
  return { passed, failed: 1, skipped };
}

function readReport(file: string) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}
