// The long proofs. A newcomer's first minutes: clones the last commit into folders of their own and runs
// `npm start` there as root in a folder that only root can enter, and as a plain user; each twice, and once
// after kill -9. Buying through a bad line: every purchase test again, on a connection to the payment provider
// that loses each first answer. WordPress sites killed in the making: each point three times. Publications killed thirty
// times. A machine that was lost, brought back from its copy elsewhere. Every screen in each language, theme and width
// together. Skips aloud what this machine does not allow.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { buildDashboard } from "./buildDashboard.ts";
import { installSystemPackages } from "./installSystemPackages.ts";
import { run } from "./run.ts";

const root = resolve(import.meta.dirname, "..");
const port = 3950;
const purchaseTests = [
  ...["checkout/openCheckout", "sync/fulfilCheckout", "sync/syncSubscription"].map(
    (name) => `apps/server/src/billing/${name}.test.ts`,
  ),
  "apps/server/src/referrals/referrals.test.ts",
];
let passed = 0;
let skipped = 0;

await rehearse("as the user who runs this", homedir(), {});
if (process.getuid?.() === 0) {
  const [, uid, gid] = readFileSync("/etc/passwd", "utf8").match(/^nobody:[^:]*:(\d+):(\d+):/m) ?? [];
  await rehearse("as a plain user", "/var/lib", { uid: Number(uid), gid: Number(gid) });
} else {
  console.log("Skipped: as root, because this is not root.");
  skipped++;
}
await runTests("Buying through a line that loses every first answer", purchaseTests, { NIDO_TEST_LINE: "lossy" });
await runTests(
  "Killing WordPress sites in the making",
  ["apps/server/src/wordpress/lifecycle/provisioningCrash.test.ts"],
  {
    NIDO_TEST_ROUNDS: "3",
  },
);
await runTests("Killing publications", ["apps/server/src/deploys/publishingCrash.test.ts"], { NIDO_TEST_ROUNDS: "5" });
await installSystemPackages(["postgresql", "rsync"]);
await runTests("Bringing back a machine that was lost", ["apps/server/src/processes/disasterRecovery.test.ts"], {
  NIDO_TEST_OPERATING: "1",
});
await runLooks();
console.log(`\n${passed} passed, 0 failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);

async function rehearse(who: string, above: string, account: { uid?: number; gid?: number }) {
  const folder = mkdtempSync(join(above, "nido-newcomer-")); // of mode 0700
  const checkout = join(folder, "nido");
  const home = join(folder, "home");
  mkdirSync(home);
  execFileSync("git", ["clone", "--quiet", root, checkout]);
  if (account.uid) execFileSync("chown", ["-R", `${account.uid}:${account.gid}`, folder]);
  if (account.uid && account.gid) chownSync(folder, account.uid, account.gid);
  // As on a machine of their own: no Node but the system's, no npm above this one, data where theirs would be.
  const { PATH = "" } = process.env;
  const path = PATH.split(":").filter((entry) => !entry.startsWith(root));
  const clean = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_"));
  const isRootItself = process.getuid?.() === 0 && !account.uid;
  const data = !isRootItself
    ? { HOME: home, XDG_DATA_HOME: home }
    : { DATA_DIR: `/var/lib/nido-rehearsal-${process.pid}` };
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
      if (!response.ok) throw new Error(`${who}, ${what}: ${response.status}`);
      console.log(`${who}, ${what}: served after ${((Date.now() - began) / 1000).toFixed(1)} s`);
      passed++;
      npm.kill(signal);
      await once(npm, "close");
      await untilGone();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (data.DATA_DIR) rmSync(data.DATA_DIR, { recursive: true, force: true });
  }
}

/** A killed npm takes the product with it, a moment later. */
async function untilGone() {
  for (let waited = 0; waited < 100; waited++) {
    const isUp = await fetch(`http://localhost:${port}/healthz`).then(
      () => true,
      () => false,
    );
    if (!isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the product did not stop");
}

async function runTests(what: string, files: string[], env: Record<string, string>) {
  console.log(what);
  await count(what, run("vitest", ["run", ...files], { cwd: root, env: { ...process.env, ...env } }));
}

async function runLooks() {
  if ((await installSystemPackages(["chromium"])).length > 0) {
    console.log("Skipped: every look, because there is no Chromium.");
    skipped++;
    return;
  }
  const env = { ...process.env, NIDO_TEST_LOOKS: "all" };
  await buildDashboard();
  await count("Every look", run("playwright", ["test", "quality"], { cwd: join(root, "e2e"), env }));
}

async function count(what: string, code: Promise<number>) {
  if ((await code) !== 0) throw new Error(`${what}: failed`);
  passed++;
}
