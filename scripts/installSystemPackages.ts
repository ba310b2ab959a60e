import { execFileSync, type SpawnOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { run } from "./run.ts";

/** Needed by the benchmarks and by the tests of the native runtime. */
export const nativePackages = [
  ..."php-fpm php-mysql php-gd php-imagick php-intl php-xml php-mbstring php-curl php-zip".split(" "),
  ..."mariadb-server bubblewrap nftables iproute2 e2fsprogs openssh-client openssh-sftp-server python3-asyncssh".split(
    " ",
  ),
];

/** Needed by the tests of customers' domains and of HTTPS. */
export const domainPackages = "bind9 bind9-dnsutils caddy pebble lego python3-h2".split(" ");

/** The shells whose completion is tested. */
export const shellPackages = ["zsh", "fish"];

/** Installs the missing packages, if this is Debian and we are root. Returns those that are still missing. */
export async function installSystemPackages(packages: string[]): Promise<string[]> {
  const missing = packages.filter(isMissing);
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return missing;

  console.log(`Installing ${missing.join(", ")} with apt-get…`);
  const options: SpawnOptions = {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  };
  await run("apt-get", ["update", "-qq"], options);
  await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], options);
  return missing.filter(isMissing);
}

function isMissing(name: string): boolean {
  try {
    const status = execFileSync("dpkg-query", ["--status", name], { stdio: "pipe" }).toString();
    return !status.includes("Status: install ok installed");
  } catch {
    return !existsSync(`/usr/bin/${name}`);
  }
}
