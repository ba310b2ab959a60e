import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFpm } from "@nido/test-kit/native";

const ports = { onTheFly: 3920, stored: 3921, plain: 3922 };

/** The usual stack: nginx before one PHP-FPM pool and MariaDB, as the distribution ships them. */
export async function startPeer(above: string, mariadb: string, whenDone: (undo: () => Promise<void>) => void) {
  const folder = join(above, "peer");
  mkdirSync(folder);
  const sql = (statements: string) =>
    execFileSync("mariadb", ["--no-defaults", "--user=root", `--socket=${mariadb}`], { input: statements });
  sql("create user peer@localhost identified by 'peer'; grant all on *.* to peer@localhost;");

  /** Copies WordPress and installs it, as a hand-made portal would; returns the milliseconds it took. */
  const install = async (name: string) => {
    const began = performance.now();
    const site = join(folder, name);
    execFileSync("cp", ["-a", process.env["WORDPRESS_CORE"] as string, site]);
    sql(`create database ${name};`);
    writeFileSync(join(site, "wp-config.php"), wpConfig(name, mariadb));
    execFileSync("php", ["-d", "display_errors=0", "-r", installation], { cwd: site });
    execFileSync("chown", ["-R", "www-data:www-data", site]);
    return performance.now() - began;
  };
  await install("site");

  const php = spawnServer(findFpm() ?? "", ["-F", "-y", write(join(folder, "fpm.conf"), fpmConfig(folder))]);
  const nginx = spawnServer("/usr/sbin/nginx", [
    "-c",
    write(join(folder, "nginx.conf"), nginxConfig(folder)),
    "-p",
    folder,
  ]);
  whenDone(async () => {
    for (const server of [nginx, php]) {
      server.kill("SIGTERM");
      await once(server, "close");
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const server = (port: number) => ({ host: `127.0.0.1:${port}`, port });
  return { install, onTheFly: server(ports.onTheFly), stored: server(ports.stored), plain: server(ports.plain) };
}

function spawnServer(program: string, args: string[]) {
  return spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}

function write(file: string, text: string): string {
  writeFileSync(file, text);
  return file;
}

const installation = `
  $_SERVER['HTTP_HOST'] = 'localhost'; $_SERVER['REQUEST_URI'] = '/';
  define('WP_INSTALLING', true);
  require 'wp-load.php';
  function wp_new_blog_notification() {}
  require 'wp-admin/includes/upgrade.php';
  wp_install('Peer', 'lucia', 'a@example.com', true, '', 'password');`;

const wpConfig = (name: string, mariadb: string) => `<?php
define('DB_NAME', '${name}'); define('DB_USER', 'peer'); define('DB_PASSWORD', 'peer');
define('DB_HOST', 'localhost:${mariadb}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
$nido_host = $_SERVER['HTTP_HOST'] ?? 'localhost';
define('WP_HOME', "http://$nido_host"); define('WP_SITEURL', WP_HOME); define('DISABLE_WP_CRON', true);
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $n) define($n, 'x' . $n);
$table_prefix = 'wp_';
require_once ABSPATH . 'wp-settings.php';
`;

const fpmConfig = (folder: string) => `[global]
error_log = /dev/null
[www]
user = www-data
group = www-data
listen = ${folder}/php.sock
listen.mode = 0666
pm = static
pm.max_children = 4
`;

const nginxConfig = (folder: string) => `
user www-data;
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 512; }
http {
  access_log off;
  include /etc/nginx/mime.types;
  keepalive_requests 1000000;
  fastcgi_cache_path ${folder}/cache levels=1:2 keys_zone=pages:10m inactive=60m;
  fastcgi_temp_path ${folder}/temp;
  server {
    listen 127.0.0.1:${ports.onTheFly};
    gzip on; gzip_types *;
    ${location(folder, 'fastcgi_cache pages; fastcgi_cache_key "$scheme$host$request_uri"; fastcgi_cache_valid 200 60m;')}
  }
  server {
    listen 127.0.0.1:${ports.stored};
    ${location(folder, 'fastcgi_cache pages; fastcgi_cache_key "stored$scheme$host$request_uri$http_accept_encoding"; fastcgi_cache_valid 200 60m; fastcgi_param PHP_VALUE "zlib.output_compression=On";')}
  }
  server {
    listen 127.0.0.1:${ports.plain};
    ${location(folder, "")}
  }
}
`;

function location(folder: string, cache: string): string {
  return `root ${folder}/site;
    location / {
      include /etc/nginx/fastcgi_params;
      fastcgi_param SCRIPT_FILENAME ${folder}/site/index.php;
      fastcgi_param HTTP_HOST $http_host;
      fastcgi_pass unix:${folder}/php.sock;
      ${cache}
    }`;
}
