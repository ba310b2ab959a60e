// The site manager's process: the only one of the native runtime that runs as root. It accepts a line with a verb and a
// project id on a unix socket, and nothing else. The desired state of a site comes from a file, which it validates.
//   node siteManagerProcess.ts --data DATA_DIR --run /run/nido --group nido --mariadb /run/mysqld/mysqld.sock
import { chmodSync, chownSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { managerSocket } from "./names.ts";
import { SiteManager } from "./SiteManager.ts";
import { createSitesGroup, groupId } from "./unixAccounts.ts";
import { type Verb, verbs } from "./verbs.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    run: { type: "string", default: "/run/nido" },
    group: { type: "string", default: "nido" },
    mariadb: { type: "string", default: "/run/mysqld/mysqld.sock" },
  },
});
if (!values.data || process.getuid?.() !== 0) {
  console.error("The site manager must run as root, with --data set to Nido's DATA_DIR.");
  process.exit(1);
}

createSitesGroup();
const webGroup = groupId(values.group);
const manager = new SiteManager({ dataDir: values.data, runFolder: values.run, webGroup, mariadb: values.mariadb });
const pattern = new RegExp(`^(${verbs.join("|")}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);
const maxLineLength = 100;

process.umask(0o022);
mkdirSync(values.run, { recursive: true });
chownSync(values.run, 0, webGroup);
chmodSync(values.run, 0o711);
const path = managerSocket(values.run);
rmSync(path, { force: true });
const server = createServer({ allowHalfOpen: true }, (socket) => {
  let line = "";
  socket.setTimeout(10_000, () => socket.destroy());
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    line += chunk;
    if (line.length > maxLineLength) socket.destroy();
  });
  socket.on("end", () => void answer(line.trim()).then((text) => socket.end(`${text}\n`)));
});
server.listen(path, () => {
  chownSync(path, 0, webGroup);
  chmodSync(path, 0o660);
  console.log("The site manager is listening.");
});

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
