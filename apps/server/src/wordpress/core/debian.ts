import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const suite = "trixie";
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
const packages = [
  "wordpress",
  "wordpress-l10n",
  "wordpress-theme-twentytwentyfive",
  "libjs-underscore",
  "libjs-cropper",
  "libjs-lodash",
  "php-getid3",
];

/**
 * Takes WordPress from Debian's packages. They come from this machine's mirrors and are verified by Debian's
 * signatures. A separate apt configuration means that nothing is installed and root is not needed.
 */
export async function coreOfDebian(target: string, { signal }: { signal: AbortSignal }) {
  const limit = { timeout: 120_000, signal };
  if (!existsSync("/usr/bin/apt-get")) throw new Error("this machine has no apt");
  const work = `${target}.debian`;
  await rm(work, { recursive: true, force: true });
  try {
    const apt = await configure(work, await findMirrors());
    await run("apt-get", [...apt, "-qq", "update"], limit);
    const debs = join(work, "debs");
    await mkdir(debs);
    await run("apt-get", [...apt, "-qq", "download", ...packages], { ...limit, cwd: debs });
    const files = join(work, "files");
    for (const deb of await readdir(debs)) await run("dpkg-deb", ["-x", join(debs, deb), files], limit);
    await collect(files, target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

interface Mirrors {
  main: string;
  security: string;
}

/** The mirrors in this machine's apt sources, in either file format. */
async function findMirrors(): Promise<Mirrors> {
  const folder = "/etc/apt/sources.list.d";
  const names = await readdir(folder).catch(() => []);
  const files = ["/etc/apt/sources.list", ...names.map((name) => join(folder, name))];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => "")));
  const addresses = texts.join("\n").match(/^(?:URIs:|deb\s)[^#\n]*?\bhttps?:\/\/\S+/gm) ?? [];
  const found = addresses.map((line) => /https?:\/\/\S+/.exec(line)?.[0].replace(/\/$/, "") as string);
  const main = found.find((address) => address.endsWith("/debian"));
  const security = found.find((address) => address.endsWith("/debian-security"));
  if (!main) throw new Error("this machine has no Debian mirror");
  return { main, security: security ?? `${main}-security` };
}

async function configure(work: string, { main, security }: Mirrors): Promise<string[]> {
  for (const folder of ["etc/preferences.d", "etc/sources.list.d", "lists/partial", "cache/archives/partial"])
    await mkdir(join(work, folder), { recursive: true });
  await writeFile(join(work, "status"), "");
  const line = (address: string, name: string) => `deb [signed-by=${keyring}] ${address} ${name} main\n`;
  await writeFile(join(work, "etc/sources.list"), line(main, suite) + line(security, `${suite}-security`));
  const options = {
    "Dir::Etc": join(work, "etc"),
    "Dir::State": work,
    "Dir::State::lists": join(work, "lists"),
    "Dir::State::status": join(work, "status"),
    "Dir::Cache": join(work, "cache"),
    "Acquire::Languages": "none",
    "Acquire::http::Timeout": "10",
    "Acquire::Retries": "1",
    "APT::Sandbox::User": "",
  };
  return Object.entries(options).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

const excluded = /\/(wp-config\.php|\.htaccess|readme\.html|plugins\/akismet)$/;
const otherLanguages = /\/languages\/(?!.*es_ES)[^/]+$/;

/** Copies WordPress out of the unpacked packages, with symbolic links resolved. */
async function collect(files: string, target: string) {
  const source = join(files, "usr/share/wordpress");
  await rm(join(source, "wp-includes/certificates/ca-bundle.crt"), { force: true });
  await cp(source, target, {
    recursive: true,
    dereference: true,
    filter: (path) => !excluded.test(path) && !otherLanguages.test(path),
  });
  // Debian's package links to the machine's certificates, so they are copied.
  await cp("/etc/ssl/certs/ca-certificates.crt", join(target, "wp-includes/certificates/ca-bundle.crt"));
}
