import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@nido/test-kit/freePort";
import { serverOn } from "../load/Server.ts";
import { startServer } from "../startServer.ts";

/** Caddy with precompressed files, and on a second port with compression on the fly. */
export async function startCaddy(cleanups: AsyncDisposableStack, folder: string, site: string) {
  const [precompressed, onTheFly] = [await freePort(), await freePort()];
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
http://127.0.0.1:${precompressed} {
  root * ${site}
  file_server {
    precompressed gzip br
  }
}
http://127.0.0.1:${onTheFly} {
  root * ${site}
  encode gzip
  file_server
}
`,
  );
  startServer(cleanups, "/usr/bin/caddy", ["run", "--config", file, "--adapter", "caddyfile"], { HOME: folder });
  return {
    plain: serverOn(precompressed, "Caddy"),
    precompressed: serverOn(precompressed, "Caddy, precompressed"),
    onTheFly: serverOn(onTheFly, "Caddy, gzip on the fly"),
  };
}
