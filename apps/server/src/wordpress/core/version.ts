/** Whether two versions differ in nothing but what was mended: 6.8.1 and 6.8.3, not 6.9. */
export function isSameBranch(one: string, other: string): boolean {
  return branchOf(one) === branchOf(other);
}

function branchOf(version: string): string {
  return version.split(".").slice(0, 2).join(".");
}

export function isOlder(one: string, other: string): boolean {
  return one.localeCompare(other, "en", { numeric: true }) < 0;
}
