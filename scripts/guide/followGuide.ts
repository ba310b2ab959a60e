// Follows the operator's guide (docs/OPERATING.md, "A server of your own") on a fresh Debian 13, until a site is served
// over HTTPS with a certificate from an ACME server. Needs root and debootstrap.
//
// The fresh Debian is a folder (chroot) without systemd. Its programs run in their own network and process namespaces,
// where the guide's example addresses exist. This script carries out the guide's commands in order; it plays the part
// of systemd, and starts the product as deploy/nido.service says.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startAcmeServer } from "../../packages/test-kit/src/acmeServer.ts";
import { startNameServer } from "../../packages/test-kit/src/nameServer.ts";
import { provideCore } from "../../packages/test-kit/src/testCore.ts";
import { eventually } from "../../packages/test-kit/src/waitUntil.ts";
import { fillIn, readGuide } from "./readGuide.ts";
import { Systemd } from "./Systemd.ts";

const root = resolve(import.meta.dirname, "../..");
const release = "trixie";
const settingsFile = "/etc/nido.env";
const needsInternet = /^(apt-get|git clone) /;

/** A customer with a project and a domain, as after a purchase. */
const customer = `
import { connect } from "./apps/server/src/db/connect.ts";
import { insertUser } from "./apps/server/src/account/queries.ts";
import { createCliToken } from "./apps/server/src/cli/accessTokens.ts";
import { insertDomain } from "./apps/server/src/domains/queries.ts";
import { addProject, orderWordPress } from "./packages/test-kit/src/seed.ts";
const db = connect("postgres://nido@/nido?host=/run/postgresql");
const userId = await insertUser(db, { email: "ana@example.com", givenName: "Ana" });
const projectId = await addProject(db, userId, "folio", { recipe: "static_starter" });
await orderWordPress(db, userId, "blog");
const domain = "www.customer.example";
await db.transaction((tx) => insertDomain(tx, { projectId, name: domain, domain }));
console.log(await db.transaction((tx) => createCliToken(tx, userId, { kind: "ci", name: "guide", days: 1 })));
await db.$client.end();
`;

const [, , stage, folder = ""] = process.argv;
if (stage === "install") installPrograms(folder);
else if (stage === "follow") await followGuide(folder);
else await prepareMachine();

/** Makes a fresh Debian, and goes on in new namespaces: with the internet first, then without. */
async function prepareMachine() {
  const machine = mkdtempSync("/var/lib/nido-guide-");
  chmodSync(machine, 0o755);
  try {
    console.log("Installing a fresh Debian…");
    const programs = "--include=ca-certificates,curl,procps,openssl";
    execFileSync("debootstrap", ["--variant=minbase", programs, release, machine, debianMirror()], { stdio: "ignore" });
    // As on a server without systemd: packages do not start their services by themselves.
    writeFileSync(join(machine, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
    installNode(machine);
    const { NODE_EXTRA_CA_CERTS: authorities } = process.env;
    for (const file of ["/etc/resolv.conf", "/etc/hosts", ...(authorities ? [authorities] : [])])
      cpSync(file, join(machine, file), { dereference: true });
    execFileSync("git", ["clone", "--quiet", "--bare", root, join(machine, "srv/nido.git")]);
    await provideCore();
    cpSync(process.env["WORDPRESS_CORE"] as string, join(machine, "srv/wordpress"), { recursive: true });
    const namespaces = ["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
    for (const [next, options] of [
      ["install", namespaces],
      ["follow", [...namespaces, "--net"]],
    ] as const) {
      const program = [process.execPath, import.meta.filename, next, machine];
      const [code] = await once(spawn("unshare", [...options, ...program], { stdio: "inherit" }), "close");
      if (code !== 0) throw new Error(`the guide could not be followed: ${next} ended with ${code}`);
    }
  } finally {
    rmSync(machine, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Carries out the commands that need the internet. */
function installPrograms(machine: string) {
  mountSystem(machine);
  for (const line of readGuide().commands.filter((command) => needsInternet.test(command))) {
    console.log(`# ${line}`);
    inMachine(machine, line.replace("apt-get install", "apt-get install -y -qq").replace("YOUR-COPY", "/srv/nido.git"));
  }
}

function mountSystem(machine: string) {
  // bubblewrap needs a root that is a mount point.
  execFileSync("mount", ["--bind", machine, machine]);
  execFileSync("mount", ["-t", "proc", "proc", join(machine, "proc")]);
  execFileSync("mount", ["--rbind", "/dev", join(machine, "dev")]);
}

async function followGuide(machine: string) {
  const server = "203.0.113.7";
  execFileSync("ip", ["link", "set", "lo", "up"]);
  for (const address of [`${server}/32`, "2001:db8::7/128"])
    execFileSync("ip", ["address", "add", address, "dev", "lo"]);
  mountSystem(machine);

  const names = await startNameServer(["example.com", "example.net", "customer.example"]);
  await names.set("panel.example.com", "A", server);
  await names.set("*.sites.example.net", "A", server);
  await names.set("www.customer.example", "CNAME", "folio.sites.example.net.");
  const acmeFolder = mkdtempSync("/tmp/nido-acme-");
  const acme = await startAcmeServer({
    folder: acmeFolder,
    httpPort: 80,
    httpsPort: 443,
    dns: names.address,
    certificateSeconds: 86_400,
  });
  const [keyFile = "", nameServer = ""] = names.update.split("@");
  cpSync(keyFile, join(machine, "etc/nido-tsig.key"));
  cpSync(acme.certificateFile, join(machine, "etc/acme.pem"));
  writeFileSync(join(machine, "etc/acme-root.pem"), acme.root);
  // apt-get would have started them.
  for (const service of ["postgresql", "mariadb"]) inMachine(machine, `/etc/init.d/${service} start`);

  const { commands, settings } = readGuide();
  writeFileSync(join(machine, settingsFile), fillIn(settings, nameServer));
  // The only differences from the guide: this network has its own authority and name server, and no wordpress.org.
  appendFileSync(
    join(machine, settingsFile),
    `ACME_DIRECTORY=${acme.directoryUrl}\nNODE_EXTRA_CA_CERTS=/etc/acme.pem\n` +
      `DNS_SERVERS=${names.address}\nWORDPRESS_CORE=/srv/wordpress\nLOG_LEVEL=warn\n`,
  );
  const systemd = new Systemd(machine);
  const updates = commands.indexOf("systemctl start nido-backup");
  for (const line of commands.slice(0, updates).filter((line) => !needsInternet.test(line))) {
    console.log(`# ${line}`);
    if (line.startsWith("systemctl")) await systemd.run(line.split(/\s+/).slice(1));
    else if (line.startsWith("curl")) await eventually(() => inMachine(machine, `${line} --fail --silent`));
    else inMachine(machine, line);
  }

  const curl = (url: string) => {
    const { hostname, protocol } = new URL(url);
    const resolved = `${hostname}:${protocol === "https:" ? 443 : 80}:${server}`;
    const result = "%{http_version} %{http_code} %{redirect_url}";
    const options = [
      "-s",
      "--cacert",
      "/etc/acme-root.pem",
      "--resolve",
      resolved,
      "-o",
      "/tmp/page",
      "-w",
      result,
      url,
    ];
    const answer = execFileSync("chroot", [machine, "curl", ...options]).toString();
    return `${answer.trim()} ${readFileSync(join(machine, "tmp/page"), "utf8").slice(0, 60)}`.trim();
  };
  const expectAnswer = (url: string, expected: string) =>
    eventually(async () => {
      const answer = curl(url);
      if (!answer.startsWith(expected)) throw new Error(`${url} answered ${answer}`);
      console.log(`${url}: ${expected}`);
    });
  await expectAnswer("https://panel.example.com/", "2 200");
  publishSite(machine, server);
  await expectAnswer("https://folio.sites.example.net/", "2 200 <h1>served</h1>");
  await expectAnswer("https://www.customer.example/", "2 200 <h1>served</h1>");
  // By the site manager, for a web process without root's rights.
  await expectAnswer("https://blog.sites.example.net/", "2 200 <!DOCTYPE html>");
  await expectAnswer("http://www.customer.example/x", "1.1 308 https://www.customer.example/x");

  console.log("# systemctl reload nido");
  const before = systemd.children("nido");
  await systemd.run(["reload", "nido"]);
  for (let done = false; !done; done = systemd.children("nido").every((pid) => !before.includes(pid))) {
    if (!curl("https://folio.sites.example.net/").startsWith("2 200")) throw new Error("a request failed meanwhile");
    await pause(20);
  }
  await expectAnswer("https://folio.sites.example.net/", "2 200 <h1>served</h1>");
  await systemd.run(["stop", "nido", "nido-site-manager"]);
  await acme.stop();
  await names.stop();
  console.log("The guide leads to a site that is served over HTTPS.");
  process.exit(0); // ends every process in this namespace
}

/** What a customer does: installs the tool from the dashboard, and publishes a folder. */
function publishSite(machine: string, server: string) {
  appendFileSync(join(machine, "etc/hosts"), `\n${server} panel.example.com\n`);
  writeFileSync(join(machine, "opt/nido/customer.ts"), customer);
  const token = inMachine(machine, "cd /opt/nido && runuser -u nido -- node customer.ts").toString().trim();
  mkdirSync(join(machine, "tmp/site"));
  writeFileSync(join(machine, "tmp/site/index.html"), "<h1>served</h1>");
  const trust = "export NODE_EXTRA_CA_CERTS=/etc/acme-root.pem";
  inMachine(machine, `${trust}; npm install --global --silent https://panel.example.com/cli/nido.tgz`);
  const access = `NIDO_SERVER=https://panel.example.com NIDO_TOKEN=${token}`;
  const output = inMachine(machine, `${trust}; cd /tmp/site && ${access} nido publish . --project folio`);
  console.log(`# nido publish\n${output}`);
}

/** The mirror that this machine installs its own packages from. */
function debianMirror(): string {
  const output = execFileSync("apt-get", ["indextargets", "--format", "$(SITE)", "Created-By: Packages"]).toString();
  const mirror = output.split("\n").find((site) => site.endsWith("/debian") || site.endsWith("/debian/"));
  if (!mirror) throw new Error("no Debian mirror is configured on this machine");
  return mirror;
}

/** The guide has the operator install Node 24 to /usr/local; here it is the Node that runs this script. */
function installNode(machine: string) {
  const local = join(machine, "usr/local");
  cpSync(process.execPath, join(local, "bin/node"));
  const npm = execFileSync("bash", ["-c", "readlink -f $(command -v npm)"]).toString().trim();
  cpSync(resolve(dirname(npm), ".."), join(local, "lib/node_modules/npm"), { recursive: true, dereference: true });
  for (const name of ["npm", "npx"])
    execFileSync("ln", ["-s", `../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name)]);
  const npmrc = join(homedir(), ".npmrc");
  if (existsSync(npmrc)) cpSync(npmrc, join(machine, "root/.npmrc"));
}

function inMachine(machine: string, command: string): Buffer {
  const env = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root", LANG: "C.UTF-8" };
  const { NODE_EXTRA_CA_CERTS } = process.env;
  const options = { ...env, DEBIAN_FRONTEND: "noninteractive", NODE_EXTRA_CA_CERTS };
  const { status, stdout, stderr } = spawnSync("chroot", [machine, "bash", "-ec", command], { env: options });
  if (status !== 0) throw new Error(`"${command}" ended with ${status}:\n${String(stdout).slice(-2000)}${stderr}`);
  return stdout;
}
