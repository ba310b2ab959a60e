import { existsSync } from "node:fs";
import { dirname } from "node:path";

interface Options {
  uid: number;
  gid: number;
  /** what is seen and can be changed */
  own: string[];
  /** what is seen and cannot */
  shared: string[];
}

const mostProcesses = 64;
/** Of the machine, what PHP needs: its programs and settings, names and certificates. */
const machine = [
  "/usr",
  "/etc/php",
  "/etc/ssl",
  "/etc/ca-certificates",
  "/etc/resolv.conf",
  "/etc/hosts",
  "/etc/nsswitch.conf",
  "/etc/localtime",
  "/etc/ld.so.cache",
];
const links = ["bin", "sbin", "lib", "lib64"];

/**
 * The command that runs a program as a user, in a file system in which there is nothing but what it needs. Unlike
 * PHP's open_basedir, which slows every page by a third, this costs nothing once it runs.
 */
export function enclosed({ uid, gid, own, shared }: Options, program: string[]): [string, string[]] {
  const seen = machine.filter((path) => existsSync(path));
  return [
    "/usr/bin/bwrap",
    [
      // Those that it makes by itself nobody but root could enter.
      ...[...new Set([...seen, ...shared, ...own].flatMap(foldersAbove))].flatMap((path) => ["--dir", path]),
      ...[...seen, ...shared].flatMap((path) => ["--ro-bind", path, path]),
      ...own.flatMap((path) => ["--bind", path, path]),
      ...links.filter((name) => existsSync(`/usr/${name}`)).flatMap((name) => ["--symlink", `usr/${name}`, `/${name}`]),
      ...["--size", String(2 ** 26), "--perms", "1777", "--tmpfs", "/tmp"],
      ...["--dev", "/dev", "--unshare-ipc", "--unshare-uts", "--new-session", "--chdir", "/", "--clearenv"],
      ...["/usr/bin/setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--no-new-privs"],
      ...["/usr/bin/prlimit", `--nproc=${mostProcesses}`, "--core=0"],
      ...program,
    ],
  ];
}

/** The folders on the way to a path, from the outermost. */
function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === "/" ? [] : [...foldersAbove(above), above];
}
