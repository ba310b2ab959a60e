import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { findCollision, judgeEntry } from "@nido/contract";
import { type IgnoreSource, ignoreFile, readIgnoreRules } from "@nido/contract/ignoreRules";

/** A file to publish, with its attributes on disk. */
export interface FoundFile {
  path: string;
  size: number;
  /** mtime in milliseconds */
  modified: number;
  /** ctime in milliseconds; unlike the mtime, programs cannot set it back */
  touched: number;
}

/** Paths that must not be published, by reason. */
export interface RejectedFiles {
  secrets: string[];
  links: string[];
  names: string[];
}

interface Found {
  files: FoundFile[];
  rejected: RejectedFiles;
  /** hidden files, which are left out */
  hidden: string[];
}

/**
 * Walks a folder for the files to publish, without following links. Reads `.nidoignore` in this folder and in the
 * one with the project's settings.
 */
export function findFiles(folder: string, settingsFolder = folder): Found {
  const files: FoundFile[] = [];
  const hidden: string[] = [];
  const rejected: RejectedFiles = { secrets: [], links: [], names: [] };
  const rules = readIgnoreRules(readSources(folder, settingsFolder));

  const visit = (entry: Dirent, path: string) => {
    const isFolder = entry.isDirectory();
    const verdict = judgeEntry(path, isFolder, rules);
    if (verdict === "skipped") return;
    if (verdict === "secret") return void rejected.secrets.push(path);
    if (entry.isSymbolicLink()) return void rejected.links.push(path);
    if (verdict) return void (verdict === "hidden" ? hidden : rejected.names).push(path);
    if (isFolder) return walk(path);
    if (!entry.isFile()) return;
    const { size, mtimeMs, ctimeMs } = statSync(`${folder}/${path}`);
    files.push({ path, size, modified: mtimeMs, touched: ctimeMs });
  };
  const walk = (parent: string) => {
    const entries = readdirSync(join(folder, parent), { withFileTypes: true });
    for (const entry of entries) visit(entry, parent === "" ? entry.name : `${parent}/${entry.name}`);
  };
  walk("");
  const collision = findCollision(files.map(({ path }) => path));
  if (collision) rejected.names.push(collision.join(", "));
  return { files, rejected, hidden };
}

/** The ignore files of the project and of the published folder. The one nearest to the files has the last word. */
function readSources(folder: string, settingsFolder: string): IgnoreSource[] {
  return [...new Set([settingsFolder, folder])].flatMap((base) => {
    const file = join(base, ignoreFile);
    const way = relative(base, folder).replaceAll(sep, "/");
    if (!existsSync(file) || way.startsWith("..")) return [];
    return { text: readFileSync(file, "utf8"), prefix: way === "" ? "" : `${way}/` };
  });
}
