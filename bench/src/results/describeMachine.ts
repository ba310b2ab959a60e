import { spawnSync } from "node:child_process";
import { arch, availableParallelism, cpus } from "node:os";

/** How each program that the benchmarks run prints its version. */
const versionCommands: Record<string, [program: string, argument: string]> = {
  nginx: ["/usr/sbin/nginx", "-v"],
  Caddy: ["/usr/bin/caddy", "version"],
  rsync: ["/usr/bin/rsync", "--version"],
  PHP: ["/usr/bin/php", "--version"],
  MariaDB: ["/usr/sbin/mariadbd", "--version"],
};

/** CPU, cores, architecture, and the versions of Node and of the peers. */
export function describeMachine(): string[] {
  const versions = Object.entries(versionCommands).flatMap(([name, command]) => {
    const version = readVersion(...command);
    return version ? [`${name} ${version}`] : [];
  });
  const cpu = cpus()[0]?.model.trim() ?? "unknown";
  return [cpu, String(availableParallelism()), arch(), process.versions.node, versions.join(", ")];
}

function readVersion(program: string, argument: string): string | undefined {
  // nginx prints its version on stderr.
  const { stdout, stderr } = spawnSync(program, [argument], { encoding: "utf8" });
  return /\d+\.\d+(\.\d+)?/.exec(`${stdout ?? ""}${stderr ?? ""}`)?.[0];
}
