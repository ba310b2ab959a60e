import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ImageForm } from "./formFor.ts";

const run = promisify(execFile);
const programs = ["bwrap", "setpriv", "prlimit", "nice"].map((name) => `/usr/bin/${name}`);
const timeoutMs = 120_000;
const maxSeconds = 20;
const maxPixels = 40_000_000;
const maxMemory = 2 ** 30;
const maxBytes = 10 * 2 ** 20;
/** The exit code of `convertImage.mjs` for what it does not convert. */
const refused = 3;

/** Without these programs, images are sent as they are. */
export function canConvertImages(): boolean {
  return programs.every((program) => existsSync(program));
}

/**
 * The image in another format; undefined if it cannot be converted. It is a customer's, and libraries that read images have had holes. So this runs without
 * rights, in namespaces without a network, files or processes of this machine, and only when nothing else wants the
 * processor.
 */
export async function convertImage(image: Buffer, form: ImageForm): Promise<Buffer | undefined> {
  const limits = [
    "-n",
    "19",
    "prlimit",
    `--data=${maxMemory}`,
    `--cpu=${maxSeconds}`,
    "setpriv",
    "--ambient-caps=-all",
    "--inh-caps=-all",
  ];
  const convert = ["/nido/node", "/nido/convertImage.mjs", form, String(maxPixels)];
  const options = { timeout: timeoutMs, killSignal: "SIGKILL", encoding: "buffer", maxBuffer: maxBytes } as const;
  const running = run("nice", [...limits, "bwrap", ...walls(), ...convert], options);
  // It may end before it has read everything.
  running.child.stdin?.on("error", () => undefined);
  running.child.stdin?.end(image);
  try {
    return (await running).stdout;
  } catch (error) {
    const { code, signal, killed } = error as { code?: unknown; signal?: string; killed?: boolean };
    const isTooMuch = code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER" || (!killed && signal != null);
    if (code === refused || code === 128 + 9 || code === 128 + 24 || isTooMuch) return undefined;
    throw error;
  }
}

function walls(): string[] {
  const packages = dirname(dirname(dirname(fileURLToPath(import.meta.resolve("sharp")))));
  return [
    ..."--unshare-all --uid 65534 --gid 65534 --die-with-parent --new-session --clearenv".split(" "),
    ..."--setenv HOME /tmp --ro-bind /usr /usr --symlink usr/lib /lib --ro-bind-try /lib64 /lib64".split(" "),
    ..."--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --proc /proc --dev /dev --size 1048576 --tmpfs /tmp".split(" "),
    ...["--ro-bind", process.execPath, "/nido/node"],
    ...["--ro-bind", packages, "/nido/node_modules"],
    ...["--ro-bind", fileURLToPath(import.meta.resolve("./convertImage.mjs")), "/nido/convertImage.mjs"],
    ..."--remount-ro /dev --remount-ro /".split(" "),
  ];
}
