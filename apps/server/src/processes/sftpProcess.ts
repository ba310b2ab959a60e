// Serves the files of sites by SFTP. In a process of its own, at a low priority, what strangers make it compute takes
// nothing from visitors. `startSftp` starts it and sends it its options. It ends with its parent.
import { once } from "node:events";
import { setPriority } from "node:os";
import fastify from "fastify";
import { connect } from "../db/connect.ts";
import { createBlockList, expectProxy } from "../edge/tls/proxyProtocol.ts";
import { describeForLog } from "../http/describeForLog.ts";
import { RateLimiter } from "../http/RateLimiter.ts";
import { folderSize } from "../platform/folderSize.ts";
import { portError } from "../platform/requireFreePort.ts";
import { whyNoSftp } from "../wordpress/native/sftpCommand.ts";
import { readHostKey } from "../wordpress/sftp/hostKey.ts";
import { openEmbeddedFiles, openNativeFiles } from "../wordpress/sftp/openFiles.ts";
import { SftpServer } from "../wordpress/sftp/SftpServer.ts";
import { siteFolder } from "../wordpress/siteFolder.ts";
import type { SftpOptions } from "./startSftp.ts";

const niceness = 10;
const lifeSignMs = 5000;
const connections = 4;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2", "disconnect"])
  process.on(signal, () => process.exit(0));
try {
  setPriority(niceness);
} catch {
  // It was started at a lower priority still.
}
const [options] = (await once(process, "message")) as [SftpOptions];
const { databaseUrl, port, host, dataDir, runFolder, proxies, logLevel } = options;
const { log } = fastify({ logger: { level: logLevel, serializers: { err: describeForLog } } });
const reason = whyNoSftp();
if (reason) log.error(`no files are reached by SFTP, because ${reason}`);
const db = connect(databaseUrl, (error) => log.warn({ err: error }, "lost a database connection"), connections);
const sftp = new SftpServer({
  db,
  limiter: new RateLimiter(db),
  hostKey: readHostKey(dataDir),
  openFiles: async (siteId) => (runFolder ? openNativeFiles(runFolder, siteId) : openEmbeddedFiles(dataDir, siteId)),
  diskUse: (siteId) => folderSize(siteFolder(dataDir, siteId).root),
  log,
});
if (proxies) expectProxy(sftp.server, createBlockList(proxies));
await sftp.listen(port, host).catch((error) => {
  throw portError("SFTP_PORT", port, host, error);
});
process.send?.("listening");
setInterval(() => process.send?.("alive"), lifeSignMs);
