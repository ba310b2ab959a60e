import type { Site, SiteRequest } from "./WordPressRuntime.ts";

/** The folders of a request's script, as PHP sees them. */
export type ScriptFolders = Record<SiteRequest["script"]["in"], string>;

/** The CGI variables (`$_SERVER`), besides the request's headers. */
export function cgiVariables(
  site: Pick<Site, "url" | "isStaging">,
  { url, script, visitor, server }: Pick<SiteRequest, "url" | "script" | "visitor" | "server">,
  folders: ScriptFolders,
): Record<string, string> {
  const { hostname, port, protocol } = new URL(site.url);
  const [path = "/"] = url.split("?", 1);
  const file = `${folders[script.in]}/${script.path}`;
  const name = script.in === "content" ? `/wp-content/${script.path}` : `/${script.path}`;
  return {
    ...server,
    NIDO_URL: site.url,
    ...(site.isStaging && { NIDO_STAGING: "1" }),
    DOCUMENT_ROOT: folders.core,
    SCRIPT_FILENAME: file,
    SCRIPT_NAME: name,
    PHP_SELF: path.includes(".php") ? path : name,
    SERVER_NAME: hostname,
    SERVER_PORT: port || (protocol === "https:" ? "443" : "80"),
    REMOTE_ADDR: visitor,
    ...(protocol === "https:" && { HTTPS: "on" }),
  };
}
