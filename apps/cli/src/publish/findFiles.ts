import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { findCollision, pathFault } from "@nido/contract";
import ignore from "ignore";

/** A file that would be published, as the disk has it. */
export interface FoundFile {
  path: string;
  size: number;
  modified: number;
  /** when anything about it last changed; nobody can set this back */
  touched: number;
}

/** What is found and cannot be published, by why. */
export interface Refused {
  secrets: string[];
  links: string[];
  hidden: string[];
  names: string[];
}

const ignoreFile = ".nidoignore";
/** Never meant to be published: left out without a word. */
const leftOut = new Set(
  `.git .hg .svn node_modules .DS_Store Thumbs.db desktop.ini .idea .vscode .gitignore .gitattributes .gitkeep .keep
  .editorconfig .nojekyll .cache .nidoignore nido.json`.split(/\s+/),
);
const editors = /~$|\.sw[op]$|^#.*#$/;
const secret = /^\.env($|\.)|\.(pem|key|p12|pfx)$|^id_(rsa|ed25519|ecdsa)$|^\.(npmrc|netrc|htpasswd)$/i;

/** Looks through a folder for what is to be published. No link is followed. `above` may say what to leave out, too. */
export function findFiles(folder: string, above = folder): { files: FoundFile[]; refused: Refused } {
  const files: FoundFile[] = [];
  const refused: Refused = { secrets: [], links: [], hidden: [], names: [] };
  const ruleFiles = [...new Set([join(above, ignoreFile), join(folder, ignoreFile)])].filter((file) =>
    existsSync(file),
  );
  const rules =
    ruleFiles.length > 0 ? ignore().add(ruleFiles.map((file) => readFileSync(file, "utf8")).join("\n")) : undefined;

  const look = (entry: Dirent, path: string) => {
    const { name } = entry;
    const isFolder = entry.isDirectory();
    if (leftOut.has(name) || editors.test(name) || rules?.ignores(isFolder ? `${path}/` : path)) return;
    if (secret.test(name)) return void refused.secrets.push(path);
    if (entry.isSymbolicLink()) return void refused.links.push(path);
    const fault = pathFault(path);
    if (fault) return void refused[fault === "hidden" ? "hidden" : "names"].push(path);
    if (isFolder) return walk(path);
    if (!entry.isFile()) return;
    const { size, mtimeMs, ctimeMs } = statSync(`${folder}/${path}`);
    files.push({ path, size, modified: mtimeMs, touched: ctimeMs });
  };
  const walk = (below: string) => {
    const entries = readdirSync(join(folder, below), { withFileTypes: true });
    for (const entry of entries) look(entry, below === "" ? entry.name : `${below}/${entry.name}`);
  };
  walk("");
  const collision = findCollision(files.map(({ path }) => path));
  if (collision) refused.names.push(collision.join(", "));
  return { files, refused };
}
