import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";

const server = "/usr/lib/openssh/sftp-server";
const setpriv = "/usr/bin/setpriv";
const bubblewrap = "/usr/bin/bwrap";
/** Links could lead out of the folder once something else follows them. Copies would escape the count of what is sent. */
const refused = "symlink,hardlink,copy-data";
/** The file descriptor from which bubblewrap reads /etc/passwd: the server wants to know its user's name. */
const passwdDescriptor = 3;

/** Why files cannot be reached by SFTP on this machine; undefined where they can. */
export function whyNoSftp(): string | undefined {
  const missing = [server, bubblewrap, setpriv].filter((path) => !existsSync(path));
  return missing.length > 0 ? `${missing.join(", ")} is missing` : undefined;
}

interface Account {
  uid: number;
  gid: number;
}

/**
 * OpenSSH's SFTP server in a file system that has nothing but a site's content. The program itself and its libraries
 * lie in a folder that cannot be listed. Started by root with an account, it becomes that user. Otherwise it stays the
 * user of this process, without any capability.
 */
export function sftpCommand(content: string, account?: Account): [command: string, args: string[]] {
  const programs = [server, ...(account ? [setpriv] : [])];
  const libraries = librariesOf(programs);
  const loader = libraries.find((path) => basename(path).startsWith("ld-"));
  if (!loader) throw new Error("the loader of programs was not found");
  const inside = (path: string) => `/.lib/${basename(path)}`;
  const run = [inside(loader), "--library-path", "/.lib"];
  return [
    setpriv,
    [
      // With ambient capabilities, such as a service has that may open low ports, bubblewrap does not start.
      ...["--ambient-caps=-all", "--inh-caps=-all", bubblewrap],
      ...["/.lib", "/dev", "/etc"].flatMap((folder) => ["--perms", "0111", "--dir", folder]),
      ...[...programs, ...libraries].flatMap((path) => ["--ro-bind", path, inside(path)]),
      ...["--dev-bind", "/dev/null", "/dev/null"],
      ...["--perms", "0444", "--ro-bind-data", String(passwdDescriptor), "/etc/passwd"],
      ...["--bind", content, "/wp-content", "--remount-ro", "/"],
      ...["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"],
      ...["--die-with-parent", "--new-session", "--clearenv", "--chdir", "/"],
      ...(account ? [...run, inside(setpriv), ...become(account)] : ["--cap-drop", "ALL"]),
      ...[...run, inside(server), "-d", "/", "-u", "0022", "-P", refused],
    ],
  ];
}

/** The content of /etc/passwd in there. */
export function passwdOf({ uid, gid }: Account): string {
  return `site:x:${uid}:${gid}::/:/\n`;
}

function become({ uid, gid }: Account): string[] {
  return [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", "--bounding-set=-all", "--no-new-privs"];
}

const found = new Map<string, string[]>();

function librariesOf(programs: string[]): string[] {
  const key = programs.join();
  const libraries = found.get(key) ?? [
    ...new Set(execFileSync("/usr/bin/ldd", programs, { encoding: "utf8" }).match(/\/\S+\.so\S*/g) ?? []),
  ];
  found.set(key, libraries);
  return libraries;
}
