import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Runs SQL statements as root. */
export function runSql(socket: string, statements: string) {
  execFileSync("mariadb", ["--no-defaults", "--user=root", `--socket=${socket}`], { input: statements });
}

/** Copies WordPress and runs its own installation, the usual way to add a site, with the language and addresses of ours. */
export function installPeerSite(folder: string, name: string, socket: string) {
  const site = join(folder, name);
  execFileSync("cp", ["-a", process.env["WORDPRESS_CORE"] as string, site]);
  runSql(socket, `create database ${name};`);
  writeFileSync(join(site, "wp-config.php"), wpConfig(name, socket));
  execFileSync("php", ["-d", "display_errors=0", "-r", installation], { cwd: site });
  execFileSync("chown", ["-R", "www-data:www-data", site]);
}

const installation = `
  $_SERVER['HTTP_HOST'] = 'localhost'; $_SERVER['REQUEST_URI'] = '/';
  define('WP_INSTALLING', true);
  require 'wp-load.php';
  function wp_new_blog_notification() {}
  require 'wp-admin/includes/upgrade.php';
  wp_install('Peer', 'lucia', 'a@example.com', true, '', 'password', 'es_ES');
  $wp_rewrite->set_permalink_structure('/%postname%/');
  flush_rewrite_rules(false);`;

const wpConfig = (name: string, socket: string) => `<?php
define('DB_NAME', '${name}'); define('DB_USER', 'peer'); define('DB_PASSWORD', 'peer');
define('DB_HOST', 'localhost:${socket}'); define('DB_CHARSET', 'utf8mb4'); define('DB_COLLATE', '');
$host = $_SERVER['HTTP_HOST'] ?? 'localhost';
define('WP_HOME', "http://$host"); define('WP_SITEURL', WP_HOME); define('DISABLE_WP_CRON', true);
foreach (['AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT'] as $n) define($n, 'x' . $n);
$table_prefix = 'wp_';
require_once ABSPATH . 'wp-settings.php';
`;
