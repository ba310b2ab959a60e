import { existsSync } from "node:fs";
import { dirname } from "node:path";

export interface SandboxOptions {
  uid: number;
  gid: number;
  /** paths mounted read-write */
  writable: string[];
  /** paths mounted read-only */
  readable: string[];
  env: Record<string, string>;
}

/** A coarse limit for machines without control groups. Where there are some, they limit processes more precisely. */
const maxProcesses = 64;
/** The system paths that PHP needs: programs, settings, name resolution, certificates. */
const systemPaths = [
  "/usr",
  "/etc/php",
  "/etc/ssl",
  "/etc/ca-certificates",
  "/etc/ImageMagick-6",
  "/etc/ImageMagick-7",
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/localtime",
  "/etc/ld.so.cache",
];
const links = ["bin", "sbin", "lib", "lib64"];

/**
 * The bubblewrap command that runs a program as a user, in a file system with nothing but these paths. PHP's
 * open_basedir would slow down every page by a third; this has no cost at run time.
 */
export function sandboxed(
  { uid, gid, writable, readable, env }: SandboxOptions,
  program: string[],
): [string, string[]] {
  const system = systemPaths.filter((path) => existsSync(path));
  return [
    "/usr/bin/bwrap",
    [
      // Created explicitly: folders that bubblewrap makes by itself are accessible to root only.
      ...[...new Set([...system, ...readable, ...writable].flatMap(foldersAbove))].flatMap((path) => ["--dir", path]),
      ...[...system, ...readable].flatMap((path) => ["--ro-bind", path, path]),
      ...writable.flatMap((path) => ["--bind", path, path]),
      ...links.filter((name) => existsSync(`/usr/${name}`)).flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]),
      ...["--size", String(2 ** 26), "--perms", "1777", "--tmpfs", "/tmp"],
      ...["--dev", "/dev", "--unshare-ipc", "--unshare-uts", "--new-session", "--chdir", "/", "--clearenv"],
      ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
      ...["/usr/bin/setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--no-new-privs"],
      ...["/usr/bin/prlimit", `--nproc=${maxProcesses}`, "--core=0"],
      ...program,
    ],
  ];
}

/** The parent folders of a path, outermost first. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === "/" ? [] : [...foldersAbove(above), above];
}
