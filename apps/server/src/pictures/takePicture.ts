import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startSiteProxy } from "./startSiteProxy.ts";

const run = promisify(execFile);
const chromium = "/usr/bin/chromium";
const bubblewrap = "/usr/bin/bwrap";
const timeoutMs = 30_000;
const maxBytes = 300_000;

/** Without these programs, the dashboard shows a drawing instead. */
export function canTakePictures(): boolean {
  return existsSync(chromium) && existsSync(bubblewrap);
}

/**
 * A picture of a page as WebP, half as large as a screen. The page is a customer's, so Chromium runs as nobody, in its
 * own sandbox, and in namespaces without a network, files or processes of this machine. Its only way out is a socket to
 * a proxy that passes requests to the site's own hosts and has a budget.
 */
export async function takePicture(url: string, hosts: string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "nido-picture-"));
  const proxy = await startSiteProxy(join(folder, "proxy.sock"), hosts);
  try {
    await run(bubblewrap, [...walls(folder), "/bin/sh", "-c", commands, "picture", url], {
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const picture = await readFile(join(folder, "picture.webp"));
    if (picture.length > maxBytes) throw new Error(`the picture has ${picture.length} bytes`);
    return picture;
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const flags = [
  "--headless --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run --hide-scrollbars",
  "--disable-background-networking --disable-component-update --disable-sync --disable-extensions --mute-audio",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp --js-flags=--max-old-space-size=256",
  "--user-data-dir=/tmp/profile --proxy-server=http://127.0.0.1:3128 --proxy-bypass-list='<-loopback>'",
  // The proxy reaches this product alone, whose certificate may be self-signed.
  "--ignore-certificate-errors",
  "--window-size=1280,720 --force-device-scale-factor=0.5 --timeout=15000 --screenshot=/out/picture.webp",
].join(" ");

/** Chromium needs a port for its proxy; the socket of ours is a file. */
const commands = `/nido/node /nido/forwardPort.mjs 3128 /out/proxy.sock & exec nice ${chromium} ${flags} "$1"`;

function walls(folder: string): string[] {
  const shared = ["fonts", "chromium", "chromium.d", "alternatives", "ld.so.cache"].map((name) => `/etc/${name}`);
  return [
    ..."--unshare-all --uid 65534 --gid 65534 --die-with-parent --new-session --clearenv".split(" "),
    ..."--setenv HOME /tmp --setenv PATH /usr/bin:/bin".split(" "),
    ..."--ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --ro-bind-try /lib64 /lib64".split(" "),
    ...shared.flatMap((path) => ["--ro-bind-try", path, path]),
    ..."--proc /proc --dev /dev --tmpfs /tmp --tmpfs /run".split(" "),
    ...["--ro-bind", process.execPath, "/nido/node"],
    ...["--ro-bind", fileURLToPath(import.meta.resolve("./forwardPort.mjs")), "/nido/forwardPort.mjs"],
    ...["--bind", folder, "/out"],
  ];
}
