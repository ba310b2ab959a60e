import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { findCollision, isSecretName, isSkippedName, pathFault } from "@nido/contract";
import ignore from "ignore";

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

const ignoreFile = ".nidoignore";

/**
 * Walks a folder for the files to publish, without following links. Reads `.nidoignore` in this folder and in the
 * one with the project's settings.
 */
export function findFiles(folder: string, settingsFolder = folder): Found {
  const files: FoundFile[] = [];
  const hidden: string[] = [];
  const rejected: RejectedFiles = { secrets: [], links: [], names: [] };
  const { judge, named } = readIgnoreRules(folder, settingsFolder);

  const visit = (entry: Dirent, path: string) => {
    const { name } = entry;
    const isFolder = entry.isDirectory();
    const verdict = judge(isFolder ? `${path}/` : path);
    if (isSkippedName(name) || verdict === "ignored") return;
    if (isSecretName(name) && !(verdict === "wanted" && named.has(name))) return void rejected.secrets.push(path);
    if (entry.isSymbolicLink()) return void rejected.links.push(path);
    const fault = pathFault(path);
    if (fault) return void (fault === "hidden" ? hidden : rejected.names).push(path);
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

/**
 * What the ignore files say about a path. As with git, patterns are relative to the file that has them, the file nearest
 * to the path has the last word, and `!` takes an exclusion back.
 */
function readIgnoreRules(folder: string, settingsFolder: string) {
  const sources = [...new Set([settingsFolder, folder])].flatMap((base) => {
    const file = join(base, ignoreFile);
    const way = relative(base, folder).replaceAll(sep, "/");
    if (!existsSync(file) || way.startsWith("..")) return [];
    const text = readFileSync(file, "utf8");
    return [{ text, rules: ignore().add(text), prefix: way === "" ? "" : `${way}/` }];
  });
  // A pattern like `!dist/**` is no statement about secrets.
  const names = sources.flatMap(({ text }) => [...text.matchAll(/^!(?:.*\/)?([^/*?[\r\n]+)\r?$/gm)]);
  const named = new Set(names.map(([, name]) => name?.trim()));
  const judge = (path: string) => {
    let verdict: "ignored" | "wanted" | undefined;
    for (const { rules, prefix } of sources) {
      const { ignored, unignored } = rules.test(prefix + path);
      if (ignored) verdict = "ignored";
      else if (unignored) verdict = "wanted";
    }
    return verdict;
  };
  return { judge, named };
}
