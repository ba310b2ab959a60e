import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { sitesGroup } from "./names.ts";

const policy = resolve(import.meta.dirname, "../../../../../deploy/nido-sites.nft");
const reason = whyNot();
if (reason) console.log(`Skipped: the outbound policy of sites, because ${reason}.`);

function whyNot(): string | undefined {
  const missing = ["/usr/sbin/nft", "/usr/sbin/ip", "/usr/bin/setpriv"].filter((path) => !existsSync(path));
  if (missing.length > 0) return `${missing.join(", ")} is missing`;
  try {
    execFileSync("unshare", ["--net", "true"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "this machine allows no network namespace";
  }
}

/** Runs in a network namespace that has only a loopback service and a private address. */
const script = `
  set -e
  ip link set lo up
  ip addr add 10.1.2.3/32 dev lo
  nft -f "$1"
  node -e 'for (const h of ["127.0.0.1", "10.1.2.3", "::1"]) require("node:net").createServer((s) => s.on("error", () => {}).end("x")).listen(8899, h)' &
  server=$!
  for wait in $(seq 100); do (exec 3<>/dev/tcp/::1/8899) 2>/dev/null && break; sleep 0.1; done
  try() { setpriv --reuid nobody --regid "$1" --clear-groups timeout 3 bash -c "exec 3<>/dev/tcp/$2/8899" 2>/dev/null && echo "$1 $2 yes" || echo "$1 $2 no"; }
  for host in 127.0.0.1 10.1.2.3 ::1; do try nogroup $host; try ${sitesGroup} $host; done
  kill $server`;

test.skipIf(reason)("the nftables policy blocks sites, and no other group, from this machine", () => {
  execFileSync("groupadd", ["--force", "--system", sitesGroup]);
  const output = execFileSync("unshare", ["--net", "bash", "-c", script, "-", policy], { encoding: "utf8" });
  expect(output.trim().split("\n").sort()).toEqual([
    `${sitesGroup} 10.1.2.3 no`,
    `${sitesGroup} 127.0.0.1 no`,
    `${sitesGroup} ::1 no`,
    "nogroup 10.1.2.3 yes",
    "nogroup 127.0.0.1 yes",
    "nogroup ::1 yes",
  ]);
});
