import { existsSync } from "node:fs";

/** The newest PHP-FPM of this machine, as Debian names them. */
export function findFpm(): string | undefined {
  return ["8.4", "8.3", "8.2"].map((version) => `/usr/sbin/php-fpm${version}`).find((path) => existsSync(path));
}
