// The agent in the pod of a WordPress site. It answers only the platform, which proves its identity with the site's
// key. It runs PHP for visitors' requests, sends files, and provides what the platform needs for mail and backups.
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { agentPort, inPod, pskOptions } from "@nido/server/wordpress/kubernetes/agentProtocol";
import { answer } from "./answer.ts";
import { folders } from "./folders.ts";

const [siteId = "", key = ""] = readFileSync(inPod.key, "utf8").trim().split(" ");
const psk = Buffer.from(key, "base64url");

for (const folder of [folders.content, folders.state, folders.mail]) mkdirSync(folder, { recursive: true });
for (const name of ["plugins", "themes", "uploads"]) mkdirSync(join(folders.content, name), { recursive: true });
const [translations, own] = [join(inPod.core, "wp-content/languages"), join(folders.content, "languages")];
if (existsSync(translations) && !existsSync(own)) cpSync(translations, own, { recursive: true });

// The pod counts as ready once the agent listens, so PHP-FPM must listen first.
while (!existsSync(inPod.phpSocket)) await pause(50);

const server = createServer(
  { ...pskOptions, pskCallback: (_socket, identity) => (identity === siteId ? psk : null) },
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

process.on("SIGTERM", () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
});
