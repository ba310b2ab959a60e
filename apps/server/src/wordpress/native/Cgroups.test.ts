import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Cgroups } from "./Cgroups.ts";

const limits = { memory: 64 * 2 ** 20, cpuWeight: 200, tasks: 8 };

function createRoot(folders: string[]) {
  const root = mkdtempSync(join(tmpdir(), "nido-cgroup-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  return root;
}

test("cgroup v2: the manager moves to a leaf, enables the controllers and limits each site (files only)", async () => {
  const root = createRoot(["system.slice/nido.service"]);
  writeFileSync(join(root, "cgroup.controllers"), "cpu memory pids");
  const own = join(root, "system.slice/nido.service");
  const cgroups = await Cgroups.open(root, "0::/system.slice/nido.service\n");
  const joined = await cgroups?.limit("a", limits);
  const read = (file: string) => readFileSync(join(own, file), "utf8");
  expect(cgroups?.version).toBe(2);
  expect(read("nido-manager/cgroup.procs")).toBe(String(process.pid));
  expect(read("cgroup.subtree_control")).toBe("+memory +cpu +pids");
  expect(read("nido-sites/cgroup.subtree_control")).toBe("+memory +cpu +pids");
  expect(joined).toEqual([join(own, "nido-sites/a/cgroup.procs")]);
  expect(
    ["memory.max", "memory.swap.max", "cpu.weight", "pids.max"].map((name) => read(`nido-sites/a/${name}`)),
  ).toEqual([String(limits.memory), "0", "200", "8"]);
  await cgroups?.forbidNewProcesses("a");
  expect(read("nido-sites/a/pids.max")).toBe("0");
  // After a restart, systemd starts the manager in the leaf.
  const restarted = await Cgroups.open(root, "0::/system.slice/nido.service/nido-manager\n");
  expect(await restarted?.limit("a", limits)).toEqual(joined);
});

test("cgroup v1: finds each controller's own hierarchy, also where two share one (files only)", async () => {
  const root = createRoot(["memory/m", "cpu,cpuacct/c", "pids"]);
  const cgroups = await Cgroups.open(root, "4:memory:/m\n2:cpu,cpuacct:/c\n8:pids:/\n1:name=systemd:/x\n");
  await cgroups?.limit("a", limits);
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  expect(cgroups?.version).toBe(1);
  expect(read("memory/m/nido-sites/a/memory.limit_in_bytes")).toBe(String(limits.memory));
  expect(read("cpu,cpuacct/c/nido-sites/a/cpu.shares")).toBe("2048");
  expect(read("pids/nido-sites/a/pids.max")).toBe("8");
});

test("if a controller is missing, Cgroups.open returns undefined", async () => {
  expect(await Cgroups.open(createRoot(["memory", "cpu"]), "4:memory:/\n2:cpu:/\n")).toBeUndefined();
});

const real = process.getuid?.() === 0 ? await Cgroups.open() : undefined;
const reason = real ? undefined : "this process may not create control groups";
if (reason) console.log(`Skipped: real control groups, because ${reason}.`);

test.skipIf(reason)("the kernel ends a process that takes too much memory, and refuses a fork bomb", async () => {
  const id = `test-${process.pid}`;
  const groups = (await real?.limit(id, limits)) ?? [];
  onTestFinished(async () => {
    await real?.remove(id);
  });
  const inGroup = (script: string) =>
    spawnSync("sh", ["-c", 'for f in "$@"; do echo $$ > "$f"; done; exec perl -e "$SCRIPT"', "sh", ...groups], {
      env: { ...process.env, SCRIPT: script },
      encoding: "utf8",
    });
  const hog = inGroup('my $x = "x" x (256 * 1024 * 1024); print "survived";');
  expect([hog.stdout, hog.signal ?? hog.status]).toEqual(["", "SIGKILL"]);
  const bomb = inGroup(
    'my $n = 0; while ($n < 100) { my $p = fork; last unless defined $p; if (!$p) { sleep 3; exit } $n++ } print $n; kill "KILL", -$$; ',
  );
  expect(Number(bomb.stdout)).toBeLessThan(limits.tasks);
});
