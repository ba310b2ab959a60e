// The slow tests (npm run test:long). A test that this machine does not allow is reported as skipped.
// - First start: clones the last commit and runs `npm start` as root, in a folder that only root can enter, and as a
//   plain user. Each starts twice, and once more after kill -9.
// - What `npm test` leaves out because it takes long: the embedded runtime beside the native one, kill -9 at each step of
//   a purchase and of a certificate's order, a thousand messages, the second language of the journeys.
// - Unreliable connection to the payment provider: all purchase tests, while the first answer to each call is lost.
// - Money: 2000 random sequences of purchases, renewals, failures, refunds and lost webhooks, compared with a model.
// - 10,000 webhooks, repeated and in any order, while the product is killed.
// - Crashes while WordPress sites are created: three at each point.
// - Crashes while deploys are published: thirty.
// - Sites of five generators, installed from npm: built, published and crawled.
// - A hostile site: requests files a thousand times while the site keeps swapping them with links and FIFOs.
// - A large site: 5000 posts and 2000 files are copied, pushed and restored on both runtimes, with interruptions.
// - Certificates: two hundred at once from an authority that refuses many nonces, while the product is killed; renewals.
// - Connections: ten thousand idle ones over two processes, and two thousand that never finish a request.
// - Visits: a hundred thousand requests to four processes, one of which is killed, are counted within 1 %.
// - Disaster recovery: restores a lost machine from its backup.
// - The operator's guide: followed on a fresh Debian, to a site that is served over HTTPS.
// - Appearance: every screen in each combination of language, theme and width.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { buildDashboard } from "./buildDashboard.ts";
import { domainPackages, installSystemPackages, nativePackages, shellPackages } from "./installSystemPackages.ts";
import { run } from "./run.ts";

const root = resolve(import.meta.dirname, "..");
const port = 3950;
const purchaseTests = [
  ...["checkout/openCheckout", "sync/fulfilCheckout", "sync/syncSubscription"].map(
    (name) => `apps/server/src/billing/${name}.test.ts`,
  ),
  "apps/server/src/referrals/referrals.test.ts",
];
/** Run with numbers of their own below. */
const scaledTests = {
  provisioning: "apps/server/src/wordpress/lifecycle/provisioningCrash.test.ts",
  publishing: "apps/server/src/deploys/publishingCrash.test.ts",
  largeSite: "apps/server/src/wordpress/largeSite.test.ts",
  certificates: "apps/server/src/certificates/certificates.test.ts",
};
let passed = 0;
let skipped = 0;
const failures: string[] = [];

await testFirstStart("as the current user", homedir(), {});
if (process.getuid?.() === 0) {
  const [, uid, gid] = readFileSync("/etc/passwd", "utf8").match(/^nobody:[^:]*:(\d+):(\d+):/m) ?? [];
  await testFirstStart("as a plain user", "/var/lib", { uid: Number(uid), gid: Number(gid) });
} else {
  console.log("Skipped: the first start as root, because this is not root.");
  skipped++;
}
await installSystemPackages([...nativePackages, ...domainPackages, ...shellPackages]);
await runTests("Tests that take long", findLongTests());
await runTests("Purchases while the provider's first answer to each call is lost", purchaseTests, {
  NIDO_TEST_LINE: "lossy",
});
await runTests("Two thousand sequences of payments", ["apps/server/src/billing/moneyModel.test.ts"], {
  NIDO_TEST_SEQUENCES: "2000",
});
await runTests("Ten thousand webhooks", ["apps/server/src/billing/manyWebhooks.test.ts"], {
  NIDO_TEST_DELIVERIES: "10000",
});
await runTests("Crashes while WordPress sites are created", [scaledTests.provisioning], {
  NIDO_TEST_ROUNDS: "3",
});
await runTests("Crashes while deploys are published", [scaledTests.publishing], {
  NIDO_TEST_ROUNDS: "5",
});
await runTests("Sites of five generators, built and crawled", ["apps/server/src/edge/static/realSites.test.ts"], {
  NIDO_TEST_GENERATORS: "1",
});
await runTests("A hostile site on the native runtime", ["apps/server/src/wordpress/native/hostileSite.test.ts"], {
  NIDO_TEST_ROUNDS: "1000",
});
await runTests("A site with 5000 posts and 2000 files", [scaledTests.largeSite], {
  NIDO_TEST_POSTS: "5000",
});
await runTests("Two hundred certificates at once, and renewals", [scaledTests.certificates], {
  NIDO_TEST_CERTIFICATES: "200",
});
await runTests(
  "Ten thousand idle connections, and two thousand slow ones",
  ["apps/server/src/edge/tls/manyConnections.test.ts"],
  {
    NIDO_TEST_CONNECTIONS: "10000",
  },
);
await runTests(
  "A hundred thousand visits counted by four processes",
  ["apps/server/src/traffic/manyProcesses.test.ts"],
  {
    NIDO_TEST_VISITS: "100000",
  },
);
await installSystemPackages(["postgresql", "rsync"]);
await runTests("Disaster recovery", ["apps/server/src/processes/disasterRecovery.test.ts"], {
  NIDO_TEST_OPERATING: "1",
});
await testGuide();
await testBrowser();
for (const failure of failures) console.log(`\nFailed: ${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failures.length === 0 ? 0 : 1);

async function testFirstStart(who: string, parent: string, account: { uid?: number; gid?: number }) {
  const folder = mkdtempSync(join(parent, "nido-newcomer-")); // has mode 0700
  const checkout = join(folder, "nido");
  const home = join(folder, "home");
  mkdirSync(home);
  execFileSync("git", ["clone", "--quiet", root, checkout]);
  if (account.uid) execFileSync("chown", ["-R", `${account.uid}:${account.gid}`, folder]);
  if (account.uid && account.gid) chownSync(folder, account.uid, account.gid);
  // As on a newcomer's own machine: only the system's Node, no variables of the npm that runs this script,
  // and a separate data folder.
  const { PATH = "" } = process.env;
  const path = PATH.split(":").filter((entry) => !entry.startsWith(root));
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const isRoot = process.getuid?.() === 0 && !account.uid;
  const data = isRoot ? { DATA_DIR: `/var/lib/nido-rehearsal-${process.pid}` } : { HOME: home, XDG_DATA_HOME: home };
  const env = { ...Object.fromEntries(clean), PATH: path.join(":"), PORT: String(port), ...data };
  try {
    for (const [what, signal] of [
      ["first start", "SIGTERM"],
      ["second start", "SIGKILL"],
      ["start after kill -9", "SIGTERM"],
    ] as const) {
      const began = Date.now();
      const npm = spawn("npm", ["start"], { cwd: checkout, env, stdio: ["ignore", "pipe", "inherit"], ...account });
      let output = "";
      for await (const chunk of npm.stdout) {
        output += chunk;
        if (output.includes("Ctrl-C stops it.")) break;
      }
      const response = await fetch(`http://localhost:${port}/healthz`);
      if (!response.ok) throw new Error(`${who}, ${what}: /healthz answered ${response.status}`);
      console.log(`${who}, ${what}: served after ${((Date.now() - began) / 1000).toFixed(1)} s`);
      passed++;
      npm.kill(signal);
      await once(npm, "close");
      await waitUntilStopped();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (data.DATA_DIR) rmSync(data.DATA_DIR, { recursive: true, force: true });
  }
}

/** The product ends a moment after its npm. */
async function waitUntilStopped() {
  for (let waited = 0; waited < 100; waited++) {
    const isUp = await fetch(`http://localhost:${port}/healthz`).then(
      () => true,
      () => false,
    );
    if (!isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the product did not stop within 10 s after npm ended");
}

/** The files with tests that `npm test` leaves out. */
function findLongTests(): string[] {
  const pattern = "@nido/test-kit/long|testedRuntimes\\(";
  const found = execFileSync("git", ["grep", "-lE", pattern, "--", "*.test.ts"], { cwd: root, encoding: "utf8" });
  const scaled = Object.values(scaledTests);
  return found
    .trim()
    .split("\n")
    .filter((file) => !scaled.includes(file));
}

async function runTests(what: string, files: string[], env: Record<string, string> = {}) {
  console.log(what);
  const all = { ...process.env, NIDO_TEST_LONG: "1", ...env };
  await count(what, run("vitest", ["run", ...files], { cwd: root, env: all }));
}

async function testGuide() {
  const missing = process.getuid?.() === 0 ? await installSystemPackages(["debootstrap", ...domainPackages]) : ["root"];
  if (missing.length > 0) {
    console.log(`Skipped: the operator's guide, because this is missing: ${missing.join(", ")}.`);
    skipped++;
    return;
  }
  await count(
    "The operator's guide",
    run(process.execPath, [join(root, "scripts/guide/followGuide.ts")], { cwd: root }),
  );
}

async function testBrowser() {
  if ((await installSystemPackages(["chromium"])).length > 0) {
    console.log("Skipped: journeys and the appearance of all screens, because there is no Chromium.");
    skipped += 2;
    return;
  }
  await buildDashboard();
  const env = { ...process.env, NIDO_TEST_LONG: "1", NIDO_TEST_LOOKS: "all" };
  const options = { cwd: join(root, "e2e"), env };
  await count("Journeys that take long", run("playwright", ["test", "--grep", "@long"], options));
  await count("Appearance of all screens", run("playwright", ["test", "quality"], options));
}

async function count(what: string, code: Promise<number>) {
  if ((await code) === 0) passed++;
  else failures.push(what);
}
