import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { findPage, type SiteHosts } from "./findPage.ts";
import { startSiteProxy } from "./startSiteProxy.ts";

const run = promisify(execFile);
const chromium = "/usr/bin/chromium";
const programs = [chromium, "/usr/bin/bwrap", "/usr/bin/setpriv"];
const timeoutMs = 20_000;
const maxBytes = 300_000;
const scratchBytes = 128 * 2 ** 20;
const screenshot = "/tmp/picture.webp";

/** Without these programs, the dashboard shows a drawing instead. */
export function canTakePictures(): boolean {
  return programs.every((program) => existsSync(program));
}

/**
 * A picture of a site's page as WebP, half as large as a screen; undefined if the page is not shown. The page is a
 * customer's, so Chromium runs without rights, in its own sandbox, and in namespaces without a network, files or processes
 * of this machine. Its only way out is a socket to a proxy that knows no address but the site's, and has a budget.
 */
export async function takePicture(url: string, site: SiteHosts): Promise<Buffer | undefined> {
  const page = await findPage(url, site);
  if (!page) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "nido-picture-"));
  try {
    const socket = join(folder, "proxy.sock");
    const proxy = await startSiteProxy(socket, site);
    try {
      // The process may have the right to open low ports, which bubblewrap refuses to inherit.
      const { stdout } = await run(
        "setpriv",
        ["--ambient-caps=-all", "--inh-caps=-all", "bwrap", ...walls(socket), ...browse, page],
        { timeout: timeoutMs, killSignal: "SIGKILL", encoding: "buffer", maxBuffer: maxBytes },
      );
      const isWebp = stdout.toString("latin1", 0, 4) === "RIFF" && stdout.toString("latin1", 8, 12) === "WEBP";
      if (!isWebp) throw new Error("Chromium wrote no WebP");
      return stdout;
    } finally {
      await proxy.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const flags = [
  "--headless --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run --hide-scrollbars --mute-audio",
  "--disable-background-networking --disable-component-update --disable-sync --disable-extensions",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp --js-flags=--max-old-space-size=256",
  "--user-data-dir=/tmp/profile --proxy-server=http://127.0.0.1:3128 --proxy-bypass-list=<-loopback>",
  // The proxy reaches this product alone, whose certificate may be self-signed.
  "--ignore-certificate-errors",
  `--window-size=1280,720 --force-device-scale-factor=0.5 --timeout=8000 --screenshot=${screenshot}`,
];
const browse = [
  "/nido/node",
  "/nido/browse.mjs",
  "/run/proxy.sock",
  screenshot,
  chromium,
  ...flags.flatMap((line) => line.split(" ")),
];

function walls(socket: string): string[] {
  const shared = ["fonts", "chromium", "chromium.d", "alternatives", "ld.so.cache"].map((name) => `/etc/${name}`);
  return [
    ..."--unshare-all --uid 65534 --gid 65534 --die-with-parent --new-session --clearenv".split(" "),
    ..."--setenv HOME /tmp --setenv PATH /usr/bin:/bin".split(" "),
    ..."--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --ro-bind-try /lib64 /lib64".split(" "),
    ...shared.flatMap((path) => ["--ro-bind-try", path, path]),
    ...`--proc /proc --dev /dev --size ${scratchBytes} --tmpfs /tmp --size 1048576 --tmpfs /run`.split(" "),
    ...["--ro-bind", process.execPath, "/nido/node"],
    ...["--ro-bind", fileURLToPath(import.meta.resolve("./browse.mjs")), "/nido/browse.mjs"],
    ...["--ro-bind", socket, "/run/proxy.sock"],
  ];
}
