import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Context } from "./Context.ts";
import { detectSite } from "./detectSite.ts";
import { exitCodes, Failure } from "./Failure.ts";
import type { Texts } from "./texts.ts";

/** The folder that is published: the one that is named, or of nido.json, or of the site's generator. It exists. */
export function requireSiteFolder(context: Context, dir: string | undefined): string {
  const folder = folderOf(context, dir);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure(describeMissing(context.t, folder, context.settings().folder), exitCodes.usage);
  return folder;
}

function folderOf(context: Context, dir: string | undefined): string {
  if (dir !== undefined) return resolve(dir);
  const { settings, folder } = context.settings();
  return resolve(folder, settings.folder ?? detectSite(folder).folder);
}

/** Names the generator that would make the folder. */
function describeMissing(t: Texts, folder: string, settingsFolder: string): string {
  const { generator, folder: made, build } = detectSite(settingsFolder);
  const isIts = generator !== undefined && resolve(settingsFolder, made) === folder;
  return isIts && build ? t.siteNotBuilt(generator, made, build) : t.folderMissing(folder);
}
