import type { SiteResponse } from "../../wordpress/WordPressRuntime.ts";
import { textTypes } from "./streamResponse.ts";

export const maxPageBytes = 8 * 2 ** 20;

/** Whether a response is the same for every visitor, and small enough for the page cache. */
export function isCacheable({ status, headers }: SiteResponse): boolean {
  if (status !== 200 && status !== 301 && status !== 404) return false;
  if (headers["set-cookie"] || headers["x-nido-keep"] === "no" || headers["www-authenticate"]) return false;
  if (/no-store|private/.test(headers["cache-control"] ?? "") && status !== 404) return false;
  if (!/^(accept-encoding)?$/i.test(headers.vary ?? "")) return false;
  return (
    textTypes.test(headers["content-type"] ?? "text/html") && Number(headers["content-length"] ?? 0) <= maxPageBytes
  );
}
