/** Whether two versions differ only in their patch number: 6.8.1 and 6.8.3, but not 6.9. */
export function isSameMinor(one: string, other: string): boolean {
  return minorOf(one) === minorOf(other);
}

export function minorOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

export function isOlder(one: string, other: string): boolean {
  return one.localeCompare(other, "en", { numeric: true }) < 0;
}
