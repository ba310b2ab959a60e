import type { IncomingHttpHeaders } from "node:http";

const personalPaths = /^\/(wp-json|wp-admin)(\/|$)/;
const campaign = /^(utm_\w+|gclid|fbclid|msclkid)$/;
/** Cookies of analytics scripts, which PHP does not read. */
const harmlessCookie = /^(_ga|_gid|_gat|_gcl_|_fbp|_fbc|_hj|_pk_|_cl[cs]k|wordpress_test_cookie$)/;

/**
 * The cache key of a request; undefined if the response may be personal. It uses the path as it was sent: two spellings
 * may be different pages for PHP.
 */
export function pageKey(site: string, path: string, query: string, headers: IncomingHttpHeaders): string | undefined {
  if (headers.authorization !== undefined || personalPaths.test(path)) return undefined;
  if (query) for (const name of new URLSearchParams(query).keys()) if (!campaign.test(name)) return undefined;
  if (headers.cookie)
    for (const cookie of headers.cookie.split(";")) {
      const name = cookie.split("=")[0]?.trim() ?? "";
      if (name !== "" && !harmlessCookie.test(name)) return undefined;
    }
  return site + path;
}
