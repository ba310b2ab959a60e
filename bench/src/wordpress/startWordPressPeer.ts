import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@nido/test-kit/freePort";
import { findFpm } from "@nido/test-kit/native";
import { serverOn } from "../load/Server.ts";
import { waitForAnswer } from "../load/waitForAnswer.ts";
import { startServer } from "../startServer.ts";
import { installPeerSite, runSql } from "./installPeerSite.ts";
import { nginxConfig } from "./nginxConfig.ts";

/** The usual stack: nginx in front of PHP-FPM and MariaDB, as the distribution ships them. */
export async function startWordPressPeer(cleanups: AsyncDisposableStack, above: string, socket: string) {
  const folder = join(above, "peer");
  mkdirSync(folder);
  runSql(socket, "create user peer@localhost identified by 'peer'; grant all on *.* to peer@localhost;");
  installPeerSite(folder, "site", socket);

  const ports = { onTheFly: await freePort(), stored: await freePort(), uncached: await freePort() };
  const [fpmFile, nginxFile] = [join(folder, "fpm.conf"), join(folder, "nginx.conf")];
  writeFileSync(fpmFile, fpmConfig(folder));
  writeFileSync(nginxFile, nginxConfig(folder, ports));
  startServer(cleanups, findFpm() ?? "", ["-F", "-y", fpmFile]);
  startServer(cleanups, "/usr/sbin/nginx", ["-c", nginxFile, "-p", folder, "-e", "stderr"]);

  const peer = {
    install: (name: string) => installPeerSite(folder, name, socket),
    onTheFly: serverOn(ports.onTheFly, "nginx, fastcgi_cache, gzip on the fly"),
    stored: serverOn(ports.stored, "nginx, fastcgi_cache of gzipped pages"),
    uncached: serverOn(ports.uncached, "nginx, PHP-FPM, MariaDB"),
  };
  await waitForAnswer(peer.uncached, { path: "/" });
  return peer;
}
export type WordPressPeer = Awaited<ReturnType<typeof startWordPressPeer>>;

// Two pools: a worker keeps a PHP_VALUE that nginx sends, so compression would leak into the other servers' pages.
const fpmConfig = (folder: string) => `[global]
error_log = /dev/null
${fpmPool(folder, "plain")}
${fpmPool(folder, "compressing")}
php_value[zlib.output_compression] = On
`;

const fpmPool = (folder: string, name: string) => `[${name}]
user = www-data
group = www-data
listen = ${folder}/${name}.sock
listen.mode = 0666
pm = static
pm.max_children = 4`;
