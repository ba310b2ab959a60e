import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { Duplex, type Writable } from "node:stream";
import { managerSocket } from "../native/names.ts";
import { passwdOf, sftpCommand } from "../native/sftpCommand.ts";
import { siteFolder } from "../siteFolder.ts";

/** Longer than most database dumps, for which the site manager makes others wait. */
const managerMs = 60_000;

/** An SFTP server that sees only the content of a site of the embedded runtime, as a stream of its protocol. */
export function openEmbeddedFiles(dataDir: string, siteId: string): Duplex {
  const [command, args] = sftpCommand(siteFolder(dataDir, siteId).content);
  const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit", "pipe"], env: {} });
  const files = Duplex.from({ readable: server.stdout, writable: server.stdin });
  server.once("error", (error) => files.destroy(error));
  files.once("close", () => server.kill("SIGKILL"));
  const account = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  (server.stdio?.[3] as Writable | undefined)?.on("error", () => undefined).end(passwdOf(account));
  return files;
}

/** The same for the native runtime: the site manager starts it as the site's user, and hands the connection over. */
export async function openNativeFiles(runFolder: string, siteId: string): Promise<Duplex> {
  const socket = connect(managerSocket(runFolder));
  const signal = AbortSignal.timeout(managerMs);
  try {
    await once(socket, "connect", { signal });
    socket.write(`sftp ${siteId}\n`);
    const [answer] = (await once(socket, "data", { signal })) as [Buffer];
    socket.pause();
    if (String(answer) === "ok\n") return socket;
    throw new Error(String(answer).trim());
  } catch (error) {
    socket.destroy();
    throw new Error(`the site manager opened no files of site ${siteId}`, { cause: error });
  }
}
