import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findCollision, isSecretName, isSkippedName, pathFault } from "@nido/contract";
import ignore, { type Ignore } from "ignore";

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
  hidden: string[];
  names: string[];
}

const ignoreFile = ".nidoignore";
/**
 * Walks a folder for the files to publish, without following links. Reads `.nidoignore` in this folder and in the
 * one with the project's settings.
 */
export function findFiles(folder: string, settingsFolder = folder): { files: FoundFile[]; rejected: RejectedFiles } {
  const files: FoundFile[] = [];
  const rejected: RejectedFiles = { secrets: [], links: [], hidden: [], names: [] };
  const rules = readIgnoreRules([settingsFolder, folder]);

  const visit = (entry: Dirent, path: string) => {
    const { name } = entry;
    const isFolder = entry.isDirectory();
    if (isSkippedName(name) || rules?.ignores(isFolder ? `${path}/` : path)) return;
    if (isSecretName(name)) return void rejected.secrets.push(path);
    if (entry.isSymbolicLink()) return void rejected.links.push(path);
    const fault = pathFault(path);
    if (fault) return void rejected[fault === "hidden" ? "hidden" : "names"].push(path);
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
  return { files, rejected };
}

function readIgnoreRules(folders: string[]): Ignore | undefined {
  const ruleFiles = [...new Set(folders.map((folder) => join(folder, ignoreFile)))].filter((file) => existsSync(file));
  if (ruleFiles.length === 0) return undefined;
  return ignore().add(ruleFiles.map((file) => readFileSync(file, "utf8")).join("\n"));
}
