// Adds the packages of other platforms to package-lock.json. npm leaves them out if its registry lacks them, but then
// `npm ci` refuses the lock file. Also adds missing integrity hashes, if the registry knows them. Run this after
// adding or updating a package.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

const file = new URL("../package-lock.json", import.meta.url);
const lock = JSON.parse(readFileSync(file, "utf8"));

const systems = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const processors = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue;
    lock.packages[`node_modules/${name}`] = {
      version,
      cpu: processors.filter((cpu) => name.includes(`-${cpu}`)).slice(0, 1),
      license: "MIT",
      optional: true,
      os: systems.filter((system) => name.includes(`-${system}`)),
      ...(name.endsWith("-musl") && { libc: ["musl"] }),
    };
  }
}

for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.startsWith("node_modules/") || entry.link || entry.integrity) continue;
  const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const { stdout, status } = spawnSync("npm", ["view", `${name}@${entry.version}`, "dist.integrity"], {
    encoding: "utf8",
  });
  if (status === 0 && stdout.trim()) entry.integrity = stdout.trim();
}

lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, "en")));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);

function isLocked(path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    if (lock.packages[`${folder && `${folder}/`}node_modules/${name}`]) return true;
    if (!folder) return false;
  }
}
