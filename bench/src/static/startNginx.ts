import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { freePort } from "@nido/test-kit/freePort";
import { serverOn } from "../load/Server.ts";
import { startServer } from "../startServer.ts";

/** nginx with precompressed files, and on a second port with compression on the fly. */
export async function startNginx(cleanups: AsyncDisposableStack, folder: string, site: string) {
  const [precompressed, onTheFly] = [await freePort(), await freePort()];
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `worker_processes ${availableParallelism()}; daemon off; pid ${folder}/nginx.pid; error_log stderr crit; user root;
    events { worker_connections 1024; }
    http {
      access_log off; include /etc/nginx/mime.types; sendfile on; tcp_nopush on;
      keepalive_requests 100000000; open_file_cache max=1000;
      root ${site};
      server { listen 127.0.0.1:${precompressed}; gzip_static on; }
      server { listen 127.0.0.1:${onTheFly}; gzip on; }
    }`,
  );
  startServer(cleanups, "/usr/sbin/nginx", ["-c", file, "-p", folder, "-e", "stderr"]);
  return {
    plain: serverOn(precompressed, "nginx"),
    precompressed: serverOn(precompressed, "nginx, gzip_static"),
    onTheFly: serverOn(onTheFly, "nginx, gzip on the fly"),
  };
}
