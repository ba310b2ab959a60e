// The site manager's process: the only one of the native runtime that runs as root. It accepts a line with a verb and a
// project id on a unix socket, and nothing else. The desired state of a site comes from a file, which it validates.
//   node siteManagerProcess.ts --data DATA_DIR --run /run/nido --user nido --group nido --mariadb /run/mysqld/mysqld.sock
import { chmodSync, chownSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Cgroups } from "./Cgroups.ts";
import { managerSocket } from "./names.ts";
import { ownFolders } from "./ownFolders.ts";
import { SiteDisk } from "./SiteDisk.ts";
import { SiteManager } from "./SiteManager.ts";
import { createSitesGroup, groupId, requireUser } from "./unixAccounts.ts";
import { type Verb, verbs } from "./verbs.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    run: { type: "string", default: "/run/nido" },
    user: { type: "string", default: "nido" },
    group: { type: "string", default: "nido" },
    mariadb: { type: "string", default: "/run/mysqld/mysqld.sock" },
  },
});
if (!values.data || process.getuid?.() !== 0) {
  console.error("The site manager must run as root, with --data set to Nido's DATA_DIR.");
  process.exit(1);
}

process.umask(0o022);
createSitesGroup();
const [webUser, webGroup] = [requireUser(values.user), groupId(values.group)];
const { images, sites } = ownFolders(values.data, webGroup);
const manager = new SiteManager({
  dataDir: values.data,
  runFolder: values.run,
  webUser,
  webGroup,
  mariadb: values.mariadb,
  cgroups: await openCgroups(),
  disk: await openDisk(),
});
const pattern = new RegExp(`^(${verbs.join("|")}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);
const filesPattern = /^sftp ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\n$/;
const maxLineLength = 100;
const lineTimeout = 10_000;

mkdirSync(values.run, { recursive: true });
chownSync(values.run, 0, webGroup);
chmodSync(values.run, 0o711);
const path = managerSocket(values.run);
rmSync(path, { force: true });
const server = createServer({ allowHalfOpen: true }, (socket) => {
  let line = "";
  socket.setTimeout(lineTimeout, () => socket.destroy());
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    line += chunk;
    if (line.length > maxLineLength) return socket.destroy();
    const [, id] = filesPattern.exec(line) ?? [];
    if (id) void openFiles(socket, id);
  });
  socket.on("end", () => {
    socket.setTimeout(0); // a dump may take long
    void answer(line.trim()).then((text) => socket.end(`${text}\n`));
  });
});
server.listen(path, () => {
  chownSync(path, 0, webGroup);
  chmodSync(path, 0o660);
  console.log("The site manager is listening.");
});

/** The connection becomes that of an SFTP server. */
async function openFiles(socket: Socket, id: string) {
  socket.pause();
  for (const event of ["data", "end"]) socket.removeAllListeners(event);
  socket.setTimeout(0);
  try {
    await manager.openFiles(id, socket);
  } catch (error) {
    console.error(`sftp ${id}: ${(error as Error).message}`);
    socket.end(`${(error as Error).message.split("\n")[0]}\n`);
  }
}

async function answer(line: string): Promise<string> {
  const [, verb, id] = pattern.exec(line) ?? [];
  if (!verb || !id) return "unknown command";
  try {
    await manager.perform(verb as Verb, id);
    return "ok";
  } catch (error) {
    console.error(`${line}: ${(error as Error).message}`);
    return (error as Error).message.split("\n")[0] ?? "failed";
  }
}

async function openCgroups(): Promise<Cgroups | undefined> {
  const cgroups = await Cgroups.open();
  if (!cgroups)
    console.error(
      "WARNING: sites have no limits on memory, CPU time and processes, because this process cannot create control groups. Under systemd, set Delegate=yes; in a container, mount /sys/fs/cgroup read-write.",
    );
  return cgroups;
}

/** After a restart of the machine, the disks of all sites have to be mounted again. */
async function openDisk(): Promise<SiteDisk | undefined> {
  const disk = new SiteDisk(images, sites);
  const reason = await disk.whyUnavailable();
  const existing = readdirSync(images).filter((name) => name.endsWith(".ext4")).length;
  if (reason && existing > 0) throw new Error(`the disks of ${existing} sites cannot be mounted: ${reason}`);
  if (reason) {
    console.error(
      `WARNING: the disk space of sites is not limited while they write, because no disk image can be mounted (${reason}). Install e2fsprogs and allow loop devices. Until then, disk use is only measured every hour.`,
    );
    return undefined;
  }
  for (const name of readdirSync(images)) {
    const [, id] = /^([0-9a-f-]{36})\.ext4$/.exec(name) ?? [];
    if (id)
      await disk.mount(id).catch((error) => console.error(`could not mount ${join(images, name)}: ${error.message}`));
  }
  return disk;
}
