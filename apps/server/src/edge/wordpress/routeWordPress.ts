import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { SiteFolders, SiteRequest } from "../../wordpress/WordPressRuntime.ts";

/** How a request to a WordPress site is handled. */
export type Route =
  | { kind: "php"; script: SiteRequest["script"]; pathInfo: string }
  | { kind: "file"; root: string; relative: string }
  | { kind: "redirect"; to: string }
  /** Only the machine that has the site's files can tell. */
  | { kind: "remote" }
  | { kind: "none" };

const none: Route = { kind: "none" };
const php = (where: "core" | "content", path: string, pathInfo = ""): Route => ({
  kind: "php",
  script: { in: where, path },
  pathInfo,
});

/** The PHP files in WordPress's root folder that visitors may call. wp-cron.php is run by the platform only. */
const publicScripts =
  /^(index|wp-login|wp-comments-post|wp-trackback|wp-signup|wp-activate|wp-links-opml|xmlrpc)\.php$/;
const ownFolders = ["wp-content", "wp-admin", "wp-includes"];
const installers = /^wp-admin\/(install|setup-config)\.php$/;
const programs = /\.(php\d?|phtml|phar|phps|inc|sh|cgi|pl)$/i;
const secrets = /\.(sqlite|sqlite3|db|sql|log|bak|old|swp|ini|env|key|pem)(-\w+)?$/i;

/**
 * Routes a decoded path by the files that exist. Hidden files and scripts that PHP should not run are never found.
 * A site can replace a file with a symbolic link after this check, so `sendFile` opens files by `openUntrusted`.
 */
export function routeWordPress(path: string, folders: SiteFolders | undefined): Route {
  const segments = path.split("/").filter(Boolean);
  if (segments.includes("..") || /[\0\\]/.test(path)) return none;
  if (segments[0] === ".well-known") return segments[1] === "acme-challenge" ? none : php("core", "index.php");
  if (segments.some((segment) => segment.startsWith("."))) return none;

  const script = segments.findIndex((segment) => segment.endsWith(".php")) + 1;
  const relative = (script > 0 ? segments.slice(0, script) : segments).join("/");
  const pathInfo = script > 0 && script < segments.length ? `/${segments.slice(script).join("/")}` : "";
  const [first = ""] = segments;
  if (!ownFolders.includes(first)) {
    if (script === 0) return php("core", "index.php");
    return publicScripts.test(relative) ? php("core", relative, pathInfo) : none;
  }
  if (!folders) return { kind: "remote" };
  if (first === "wp-content") return inContent(segments.slice(1), script > 0, folders);
  if (first === "wp-admin") return inAdmin(relative, path.endsWith("/"), script > 0, folders.core);
  return script > 0 ? none : file(folders.core, relative);
}

function inContent(segments: string[], isScript: boolean, { core, content }: SiteFolders): Route {
  const [area = ""] = segments;
  const relative = segments.join("/");
  if (area === "database" || area === "upgrade" || secrets.test(relative)) return none;
  if (isScript) {
    // Only scripts of plugins and themes, never uploaded ones.
    const isProgram = (area === "plugins" || area === "themes") && relative.endsWith(".php");
    return isProgram && isFile(content, relative) ? php("content", relative) : none;
  }
  if (programs.test(relative)) return none;
  const own = file(content, relative);
  return own.kind === "none" && area === "themes" ? file(core, `wp-content/${relative}`) : own;
}

function inAdmin(relative: string, isFolder: boolean, isScript: boolean, core: string): Route {
  if (installers.test(relative)) return none;
  if (isScript) return isFile(core, relative) ? php("core", relative) : none;
  if (isFile(core, `${relative}/index.php`))
    // Not to the path as it was sent: `//wp-admin` would redirect to a host of the name wp-admin.
    return isFolder ? php("core", `${relative}/index.php`) : { kind: "redirect", to: `/${relative}/` };
  return file(core, relative);
}

function file(root: string, relative: string): Route {
  return isFile(root, relative) ? { kind: "file", root, relative } : none;
}

function isFile(root: string, relative: string): boolean {
  try {
    return lstatSync(join(root, relative), { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false; // ENOTDIR or ENAMETOOLONG
  }
}
