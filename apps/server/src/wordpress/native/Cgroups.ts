import { existsSync, readFileSync } from "node:fs";
import { mkdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

/** What the processes of one site may use together. */
export interface SiteLimits {
  /** bytes */
  memory: number;
  /** relative to other sites; 100 is the usual weight */
  cpuWeight: number;
  /** processes and threads */
  tasks: number;
}

interface Hierarchy {
  version: 1 | 2;
  /** the folders in which a site's control groups are created: one in version 2, one for each controller in version 1 */
  bases: { controller: string; folder: string }[];
}

const controllers = ["memory", "cpu", "pids"];
const groupName = "nido-sites";
const managerName = "nido-manager";
/** The usual value is 1024 CPU shares in cgroup v1, and a weight of 100 in v2. */
const sharesPerWeight = 1024 / 100;

/** Limits the memory, CPU time and number of processes of each site by a control group, under cgroup v1 or v2. */
export class Cgroups {
  private readonly hierarchy: Hierarchy;

  private constructor(hierarchy: Hierarchy) {
    this.hierarchy = hierarchy;
  }

  /** Undefined if this process cannot create control groups with all controllers. */
  static async open(root = "/sys/fs/cgroup", own = readFileSync("/proc/self/cgroup", "utf8")) {
    const hierarchy = existsSync(join(root, "cgroup.controllers")) ? findUnified(root, own) : findSeparate(root, own);
    if (!hierarchy) return undefined;
    try {
      if (hierarchy.version === 2) await delegate(hierarchy.bases[0]?.folder as string);
      for (const { folder } of hierarchy.bases) await mkdir(join(folder, groupName), { recursive: true });
      if (hierarchy.version === 2) await enable(join(hierarchy.bases[0]?.folder as string, groupName));
    } catch {
      return undefined;
    }
    return new Cgroups(hierarchy);
  }

  get version() {
    return this.hierarchy.version;
  }

  /** Creates a site's control groups, or changes their limits. A process joins them through the returned files. */
  async limit(siteId: string, limits: SiteLimits): Promise<string[]> {
    const joined: string[] = [];
    for (const { controller, folder } of this.foldersOf(siteId)) {
      await mkdir(folder, { recursive: true });
      for (const [name, value] of this.settingsOf(controller, limits)) await writeFile(join(folder, name), value);
      joined.push(join(folder, "cgroup.procs"));
    }
    return joined;
  }

  /** Keeps the site's processes from starting others, so that all of them can be ended. */
  async forbidNewProcesses(siteId: string) {
    for (const { controller, folder } of this.foldersOf(siteId))
      if (controller !== "memory" && controller !== "cpu")
        await writeFile(join(folder, "pids.max"), "0").catch(unlessMissing);
  }

  /** Removes the control groups of a site whose processes have ended. */
  async remove(siteId: string) {
    for (const { folder } of this.foldersOf(siteId)) await removeGroup(folder);
  }

  private foldersOf(siteId: string) {
    return this.hierarchy.bases.map(({ controller, folder }) => ({
      controller,
      folder: join(folder, groupName, siteId),
    }));
  }

  private settingsOf(controller: string, { memory, cpuWeight, tasks }: SiteLimits): [string, string][] {
    const shares = Math.round(cpuWeight * sharesPerWeight);
    switch (controller) {
      case "memory":
        return [["memory.limit_in_bytes", String(memory)]];
      case "cpu":
        return [["cpu.shares", String(shares)]];
      case "pids":
        return [["pids.max", String(tasks)]];
      default:
        return [
          ["memory.max", String(memory)],
          ["memory.swap.max", "0"],
          ["cpu.weight", String(cpuWeight)],
          ["pids.max", String(tasks)],
        ];
    }
  }
}

/** cgroup v2: one hierarchy. The line of this process begins with `0::`. */
function findUnified(root: string, own: string): Hierarchy | undefined {
  // systemd may have put this process into the leaf already (DelegateSubgroup).
  const [, path] = new RegExp(`^0::(.*?)(/${managerName})?$`, "m").exec(own) ?? [];
  return path === undefined ? undefined : { version: 2, bases: [{ controller: "unified", folder: join(root, path) }] };
}

/** cgroup v1: a hierarchy for each controller. */
function findSeparate(root: string, own: string): Hierarchy | undefined {
  const bases = controllers.map((controller) => {
    const [, names = "", path] = new RegExp(`^\\d+:((?:[^:]*,)?${controller}(?:,[^:]*)?):(.*)$`, "m").exec(own) ?? [];
    const mounted = [names, controller].map((name) => join(root, name)).find((folder) => existsSync(folder));
    return path === undefined || !mounted ? undefined : { controller, folder: join(mounted, path) };
  });
  const found = bases.filter((base) => base !== undefined);
  return found.length === controllers.length ? { version: 1, bases: found } : undefined;
}

/** A cgroup v2 passes controllers to subgroups only if it has no processes itself, so this one moves to a leaf. */
async function delegate(folder: string) {
  const leaf = join(folder, managerName);
  await mkdir(leaf, { recursive: true });
  await writeFile(join(leaf, "cgroup.procs"), String(process.pid));
  await enable(folder);
}

async function enable(folder: string) {
  await writeFile(join(folder, "cgroup.subtree_control"), controllers.map((name) => `+${name}`).join(" "));
}

/** The kernel needs a moment after the last process has ended. */
async function removeGroup(folder: string) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rmdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      if (code !== "EBUSY" || attempt === 100) throw error;
      await pause(10);
    }
  }
}

function unlessMissing(error: NodeJS.ErrnoException) {
  if (error.code !== "ENOENT") throw error;
}
