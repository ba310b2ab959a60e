/**
 * How a program of ours runs in a site that is broken: without its plugins and theme, and if that fails, without its
 * drop-ins as well. Not at once: what is written without `object-cache.php` is not in the cache that it keeps.
 */
export const safeServers: Record<string, string>[] = [{ NIDO_SAFE: "1" }, { NIDO_SAFE: "1", NIDO_NO_DROP_INS: "1" }];
