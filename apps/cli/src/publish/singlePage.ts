import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseRedirects } from "@nido/contract";
import type { Context } from "../Context.ts";
import { writeSettings } from "../projectSettings.ts";
import { findFiles } from "./findFiles.ts";

const rule = "/* /index.html 200";
/** The element that the usual frameworks fill. */
const mount = /<(div|main)\s[^>]*\bid\s*=\s*["']?(root|app|main|q-app)["']?[^>]*>\s*<\/\1>|<app-root\b/i;
const maxScripts = 100;

/**
 * Offers to show index.html at every address, if the site is a single-page application: one page, which is empty, and a
 * script that changes the address. The answer no is kept in nido.json.
 */
export async function offerSinglePage(context: Context, folder: string, isAsked: boolean) {
  const { t, terminal } = context;
  const { settings, folder: settingsFolder } = context.settings();
  if (settings.singlePage === false || !isSinglePage(folder, settingsFolder)) return;
  if (!isAsked) return terminal.warn(t.singlePage(rule));
  terminal.say(t.singlePage(rule));
  const answer = await terminal.prompt(t.singlePageAsk);
  if (answer === undefined) return;
  if (/^n/i.test(answer)) return writeSettings(settingsFolder, { singlePage: false });
  // What a build copies is not lost with the next one.
  const source = join(settingsFolder, "public");
  const targets = new Set([resolve(folder), ...(existsSync(source) ? [source] : [])]);
  for (const target of targets) appendFileSync(join(target, "_redirects"), `${rule}\n`);
  terminal.succeed(t.singlePageDone([...targets].map((target) => join(target, "_redirects")).join(", ")));
}

function isSinglePage(folder: string, settingsFolder: string): boolean {
  if (!mount.test(readText(join(folder, "index.html")))) return false;
  const { rules } = parseRedirects(readText(join(folder, "_redirects")));
  if (rules.some(({ status }) => status === 200)) return false;
  const paths = findFiles(folder, settingsFolder).files.map(({ path }) => path);
  if (paths.filter((path) => /\.html?$/i.test(path)).length > 1) return false;
  const scripts = paths.filter((path) => path.endsWith(".js")).slice(0, maxScripts);
  return scripts.some((path) => readText(join(folder, path)).includes("pushState"));
}

function readText(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
