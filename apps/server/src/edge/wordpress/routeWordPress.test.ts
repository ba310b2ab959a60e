import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { routeWordPress } from "./routeWordPress.ts";

function createFolders() {
  const folder = mkdtempSync(join(tmpdir(), "nido-route-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const files = [
    ..."index.php wp-login.php wp-load.php wp-cron.php wp-admin/index.php wp-admin/css/common.css".split(" "),
    ..."wp-admin/network/index.php wp-includes/js/a.js wp-includes/version.php wp-content/themes/t/style.css".split(
      " ",
    ),
  ].map((path) => join("core", path));
  const own = ["plugins/p/run.php", "plugins/p/p.js", "uploads/a.jpg", "uploads/shell.php", "db.php"];
  for (const path of [...files, ...own.map((name) => join("site/wp-content", name))]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  symlinkSync("/etc/passwd", join(folder, "site/wp-content/uploads/link.txt"));
  return { core: join(folder, "core"), content: join(folder, "site/wp-content") };
}

test("routeWordPress maps a path to a file, a PHP script, a redirect or nothing", () => {
  const folders = createFolders();
  const describeRoute = (path: string) => {
    const route = routeWordPress(path, folders);
    if (route.kind === "file") return join(route.root, route.relative).replace(dirname(folders.core), "");
    if (route.kind === "php") return `${route.script.in} ${route.script.path}${route.pathInfo}`;
    return route.kind === "redirect" ? `to ${route.to}` : "none";
  };
  const table = {
    "/": "core index.php",
    "/a/post/": "core index.php",
    "/index.php/a": "core index.php/a",
    "/wp-login.php": "core wp-login.php",
    "/wp-load.php": "none",
    "/wp-cron.php": "none",
    "/wp-admin": "to /wp-admin/",
    "/wp-admin/": "core wp-admin/index.php",
    "//wp-admin": "to /wp-admin/",
    "/wp-admin/network": "to /wp-admin/network/",
    "/wp-admin/css/common.css": "/core/wp-admin/css/common.css",
    "/wp-admin/css/common.css/x": "none",
    "/wp-admin/css/": "none",
    "/wp-includes/js/a.js": "/core/wp-includes/js/a.js",
    "/wp-includes/version.php": "none",
    "/wp-content/plugins/p/run.php": "content plugins/p/run.php",
    "/wp-content/plugins/p/p.js": "/site/wp-content/plugins/p/p.js",
    "/wp-content/themes/t/style.css": "/core/wp-content/themes/t/style.css",
    "/wp-content/uploads/a.jpg": "/site/wp-content/uploads/a.jpg",
    "/wp-content/uploads/shell.php": "none",
    "/wp-content/uploads/link.txt": "none",
    "/wp-content/db.php": "none",
    "/wp-content/../core/index.php": "none",
    [`/wp-content/uploads/${"x".repeat(5000)}`]: "none",
    "/.env": "none",
    "/.well-known/security.txt": "core index.php",
    "/.well-known/acme-challenge/token": "none",
  };
  expect(Object.fromEntries(Object.keys(table).map((path) => [path, describeRoute(path)]))).toEqual(table);
});
