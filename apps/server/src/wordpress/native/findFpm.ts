import { existsSync } from "node:fs";

/** The installed versions of PHP-FPM, the newest first, by Debian's file names. */
export function findPhpVersions(): string[] {
  return ["8.5", "8.4", "8.3", "8.2"].filter((version) => existsSync(programOf(version)));
}

/** The program of a version, or else of the newest; undefined if it is not installed. */
export function findFpm(wanted?: string): string | undefined {
  const version = findPhpVersions().find((each) => wanted === undefined || each === wanted);
  return version && programOf(version);
}

function programOf(version: string): string {
  return `/usr/sbin/php-fpm${version}`;
}
