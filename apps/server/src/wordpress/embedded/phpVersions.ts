/** The versions of PHP that the embedded runtime has; the first one by default. */
export const phpVersions = ["8.3", "8.4"] as const;
export type PhpVersion = (typeof phpVersions)[number];
