import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { printRatio } from "./ratio.ts";
import { startStaticProduct } from "./startStaticProduct.ts";

const run = promisify(execFile);
const ports = { ours: 3916, sandbox: 3917, nginx: 3918, caddy: 3919 };
const cores = availableParallelism();
const rounds = 3;

/** The same files from the edge, from nginx and from Caddy, each on all cores. */
export async function benchStatic() {
  const missing = ["/usr/bin/wrk", "/usr/sbin/nginx", "/usr/bin/caddy"].filter((path) => !existsSync(path));
  if (missing.length > 0) return console.log(`Skipped: static files, because ${missing.join(", ")} is missing.`);
  console.log(`\nStatic files, as requests a second with 64 connections; each server on ${cores} cores`);
  const folder = `/var/lib/nido-bench-${process.pid}`;
  const site = join(folder, "site");
  mkdirSync(site, { recursive: true, mode: 0o755 });
  writeFileSync(join(site, "index.html"), `<!doctype html><title>Bench</title>${"<p>Hola, mundo.</p>\n".repeat(100)}`);
  writeFileSync(join(site, "image.jpg"), randomBytes(300_000));
  const undos: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const product = await startStaticProduct(folder, ports.ours, {
      SANDBOX_PORT: String(ports.sandbox),
      PROCESSES: String(cores),
    });
    undos.unshift(product.stop);
    await product.publish(site);
    const hosts = {
      ours: product.host,
      nginx: `127.0.0.1:${ports.nginx}`,
      caddy: `127.0.0.1:${ports.caddy}`,
    };
    for (const server of startPeers(folder, site)) {
      undos.unshift(async () => {
        server.kill("SIGTERM");
        await once(server, "close");
      });
    }
    await pause(3000);
    for (const [name, path, encoding] of [
      ["small html", "/", ""],
      ["small html, gzip", "/", "gzip"],
      ["300 kB image", "/image.jpg", ""],
    ] as const) {
      const ratios = { nginx: [] as number[], caddy: [] as number[] };
      for (let round = 0; round <= rounds; round++) {
        const speed = {
          ours: await load(hosts.ours, path, encoding),
          nginx: await load(hosts.nginx, path, encoding),
          caddy: await load(hosts.caddy, path, encoding),
        };
        if (round === 0) continue; // to warm up
        for (const peer of ["nginx", "caddy"] as const) ratios[peer].push(speed.ours / speed[peer]);
      }
      for (const peer of ["nginx", "caddy"] as const) printRatio(`edge, ${name}`, peer, ratios[peer]);
    }
  } finally {
    for (const undo of undos) await undo();
  }
}

function startPeers(folder: string, site: string) {
  const nginx = join(folder, "nginx.conf");
  writeFileSync(
    nginx,
    `worker_processes ${cores}; daemon off; pid ${folder}/nginx.pid; error_log stderr crit; user root;
    events { worker_connections 1024; }
    http { access_log off; include /etc/nginx/mime.types; sendfile on; tcp_nopush on; keepalive_requests 100000000;
      open_file_cache max=1000; gzip on; gzip_types text/html text/css;
      server { listen 127.0.0.1:${ports.nginx}; root ${site}; } }`,
  );
  const caddy = join(folder, "Caddyfile");
  writeFileSync(
    caddy,
    `{\n admin off\n auto_https off\n storage file_system ${folder}/caddy\n}\nhttp://127.0.0.1:${ports.caddy} {\n root * ${site}\n encode gzip\n file_server\n}\n`,
  );
  const options = { stdio: "ignore", env: { ...process.env, HOME: folder } } as const;
  return [
    spawn("/usr/sbin/nginx", ["-c", nginx, "-p", folder], options),
    spawn("/usr/bin/caddy", ["run", "--config", caddy, "--adapter", "caddyfile"], options),
  ];
}

async function load(host: string, path: string, encoding: string): Promise<number> {
  const headers = ["-H", `Host: ${host}`, ...(encoding ? ["-H", `Accept-Encoding: ${encoding}`] : [])];
  const address = `127.0.0.1:${new URL(`http://${host}`).port}`;
  const { stdout } = await run("wrk", ["-t1", "-c64", "-d3", ...headers, `http://${address}${path}`]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${host}${path}: ${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}
