// The one program that runs as root beside the native runtime. It listens on a unix socket for lines of a verb and
// a project's id, and nothing else; what a site is to be it reads from a file, and believes only what it knows.
//   node helper.ts --data DATA_DIR --run /run/nido --group nido --mariadb /run/mysqld/mysqld.sock
import { chmodSync, chownSync, mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { parseArgs } from "node:util";
import { helperSocket } from "./names.ts";
import { SiteKeeper } from "./SiteManager.ts";
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
  console.error("The helper needs root, and --data with the DATA_DIR of Nido.");
  process.exit(1);
}

createSitesGroup();
const webGroup = groupId(values.group);
const keeper = new SiteKeeper({ dataDir: values.data, runFolder: values.run, webGroup, mariadb: values.mariadb });
const line = new RegExp(`^(${verbs.join("|")}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`);
const longest = 100;

process.umask(0o022);
mkdirSync(values.run, { recursive: true });
chownSync(values.run, 0, webGroup);
chmodSync(values.run, 0o711);
const path = helperSocket(values.run);
rmSync(path, { force: true });
const server = createServer({ allowHalfOpen: true }, (socket) => {
  let asked = "";
  socket.setTimeout(10_000, () => socket.destroy());
  socket.on("error", () => undefined);
  socket.on("data", (chunk) => {
    asked += chunk;
    if (asked.length > longest) socket.destroy();
  });
  socket.on("end", () => void answer(asked.trim()).then((text) => socket.end(`${text}\n`)));
});
server.listen(path, () => {
  chownSync(path, 0, webGroup);
  chmodSync(path, 0o660);
  console.log("The helper listens.");
});

async function answer(asked: string): Promise<string> {
  const [, verb, id] = line.exec(asked) ?? [];
  if (!verb || !id) return "not understood";
  try {
    await keeper.perform(verb as Verb, id);
    return "ok";
  } catch (error) {
    console.error(`${asked}: ${(error as Error).message}`);
    return (error as Error).message.split("\n")[0] ?? "failed";
  }
}
