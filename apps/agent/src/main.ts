// The agent in the pod of a WordPress site. It answers only the platform, which proves its identity with the site's
// key. It runs PHP for visitors' requests, sends files, and provides what the platform needs for mail and backups.
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { agentPort, inPod, pskOptions } from "@nido/server/wordpress/kubernetes/agentProtocol";
import { answer } from "./answer.ts";
import { folders } from "./folders.ts";

const [siteId = "", key = ""] = readFileSync(inPod.key, "utf8").trim().split(" ");
const psk = Buffer.from(key, "base64url");

createFolders();

// The pod counts as ready once the agent listens, so PHP-FPM must listen first.
while (!existsSync(inPod.phpSocket)) await pause(50);

const server = createServer(
  // A command or a statement travels in a header.
  { ...pskOptions, maxHeaderSize: 2 ** 16, pskCallback: (_socket, identity) => (identity === siteId ? psk : null) },
  (request, response) => {
    answer(request, response).catch((error) => {
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end(String(error.message));
    });
  },
);
server.requestTimeout = 0;
server.timeout = 0;
server.keepAliveTimeout = 60_000;
server.on("tlsClientError", (_error, socket) => socket.destroy());
server.listen(agentPort);

/** The site can replace its folders with anything. That must not keep the agent from starting. */
function createFolders() {
  const own = ["plugins", "themes", "uploads"].map((name) => join(folders.content, name));
  for (const folder of [folders.content, folders.state, folders.mail, ...own]) {
    tryTo(() => {
      if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return chmodSync(folder, 0o755);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder);
    });
  }
  const [from, to] = [join(inPod.core, "wp-content/languages"), join(folders.content, "languages")];
  tryTo(() => {
    if (existsSync(from) && !lstatSync(to, { throwIfNoEntry: false })) cpSync(from, to, { recursive: true });
  });
}

/** Something may fail, for example because the volume is full. */
function tryTo(act: () => void) {
  try {
    act();
  } catch (error) {
    console.error(error);
  }
}

process.on("SIGTERM", () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
});
