import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { freePort } from "@nido/test-kit/freePort";
import { type Server, serverOn } from "../load/Server.ts";
import { startServer } from "../startServer.ts";
import type { CertificateFiles } from "./createCertificate.ts";

interface Options {
  folder: string;
  site: string;
  certificate: CertificateFiles;
}

/** nginx over TLS with precompressed files. */
export async function startTlsNginx(cleanups: AsyncDisposableStack, { folder, site, certificate }: Options) {
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `worker_processes ${availableParallelism()}; daemon off; pid ${folder}/nginx.pid; error_log stderr crit; user root;
    events { worker_connections 2048; }
    http {
      access_log off; include /etc/nginx/mime.types; sendfile on; tcp_nopush on;
      keepalive_requests 100000000; open_file_cache max=1000;
      server {
        listen 127.0.0.1:${port} ssl http2;
        ssl_certificate ${certificate.chain}; ssl_certificate_key ${certificate.key};
        ssl_protocols TLSv1.2 TLSv1.3; ssl_session_cache shared:tls:10m;
        root ${site}; gzip_static on;
      }
    }`,
  );
  startServer(cleanups, "/usr/sbin/nginx", ["-c", file, "-p", folder, "-e", "stderr"]);
  return tlsServer(port, "nginx");
}

/** Caddy over TLS with precompressed files. */
export async function startTlsCaddy(cleanups: AsyncDisposableStack, { folder, site, certificate }: Options) {
  const port = await freePort();
  const file = join(folder, "Caddyfile");
  writeFileSync(
    file,
    `{
  admin off
  auto_https off
  storage file_system ${folder}/caddy
  log {
    level ERROR
  }
}
https://localhost:${port}, https://*.localhost:${port} {
  tls ${certificate.chain} ${certificate.key}
  root * ${site}
  file_server {
    precompressed gzip br
  }
}
`,
  );
  startServer(cleanups, "/usr/bin/caddy", ["run", "--config", file, "--adapter", "caddyfile"], { HOME: folder });
  return tlsServer(port, "Caddy");
}

/** wrk takes the name for SNI from the address, and glibc knows no names below localhost: the Host header has them. */
export function tlsServer(port: number, name: string, hostname = "localhost"): Server {
  return { ...serverOn(port, name, hostname), isTls: true };
}
