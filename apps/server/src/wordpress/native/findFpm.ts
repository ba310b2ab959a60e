import { existsSync } from "node:fs";

/** The newest installed PHP-FPM, by Debian's file names. */
export function findFpm(): string | undefined {
  return ["8.4", "8.3", "8.2"].map((version) => `/usr/sbin/php-fpm${version}`).find((path) => existsSync(path));
}
