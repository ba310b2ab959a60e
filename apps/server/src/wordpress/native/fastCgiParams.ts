import { join } from "node:path";
import { cgiVariables } from "../cgiVariables.ts";
import { splitUrl } from "../splitUrl.ts";
import type { Site, SiteRequest } from "../WordPressRuntime.ts";

interface Paths {
  core: string;
  content: string;
  platform: string;
  /** the file with the site's settings */
  settings: string;
}

/** The parameters of a FastCGI request to a site's PHP-FPM. After `seconds`, nobody waits for its response any longer. */
export function fastCgiParams(
  site: Pick<Site, "url" | "isStaging">,
  request: Pick<SiteRequest, "method" | "url" | "headers" | "script" | "visitor" | "server">,
  { core, content, platform, settings }: Paths,
  seconds: number,
): Record<string, string> {
  const [, query] = splitUrl(request.url);
  return {
    ...headerParams(request.headers),
    ...cgiVariables(site, request, { core, content, nido: join(platform, "nido") }),
    // In CPU time. PHP code cannot change it.
    PHP_ADMIN_VALUE: `max_execution_time=${Math.ceil(seconds)}`,
    NIDO_PLATFORM: platform,
    NIDO_SITE: settings,
    GATEWAY_INTERFACE: "CGI/1.1",
    SERVER_PROTOCOL: "HTTP/1.1",
    SERVER_SOFTWARE: "nido",
    REQUEST_METHOD: request.method,
    REQUEST_URI: request.url,
    QUERY_STRING: query,
  };
}

function headerParams(headers: SiteRequest["headers"]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toUpperCase().replaceAll("-", "_");
    const prefix = key === "CONTENT_TYPE" || key === "CONTENT_LENGTH" ? "" : "HTTP_";
    if (value !== undefined) params[prefix + key] = Array.isArray(value) ? value.join(", ") : value;
  }
  return params;
}
