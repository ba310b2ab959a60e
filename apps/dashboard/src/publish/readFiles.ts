import { isSecretName, isSkippedName, pathFault } from "@nido/contract";

/** A file of a site, at its path below the site's root. */
export interface LocalFile {
  path: string;
  blob: Blob;
}

export class RefusedFiles extends Error {
  readonly reason: "secrets" | "names";
  readonly paths: string[];

  constructor(reason: "secrets" | "names", paths: string[]) {
    super(`Files that cannot be published: ${paths.join(", ")}`);
    this.reason = reason;
    this.paths = paths;
  }
}

/** The files of a dropped folder, of dropped files, or of a dropped ZIP archive. */
export async function readDropped(items: DataTransferItemList): Promise<LocalFile[]> {
  // The list is emptied when the event is over, so the entries are taken at once.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const files = (await Promise.all(entries.map((entry) => readEntry(entry, "")))).flat();
  return toSite(files);
}

/** The files of a folder or archive that was chosen. */
export function readChosen(list: FileList): Promise<LocalFile[]> {
  return toSite([...list].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file })));
}

async function toSite(files: LocalFile[]): Promise<LocalFile[]> {
  const [only] = files;
  const isArchive = files.length === 1 && only?.path.toLowerCase().endsWith(".zip");
  const all = isArchive && only ? await unpack(only.blob) : files;
  const named = withoutFolder(all.filter(({ path }) => !path.split("/").some(isSkippedName) || isIgnoreFile(path)));
  const { judge, isNoSecret } = await ignoreRulesOf(named);
  const wanted = named.filter(({ path }) => !isIgnoreFile(path) && judge(path) !== "ignored");
  const isSecret = (path: string) => isSecretName(nameOf(path)) && !isNoSecret(path);
  const site = wanted.filter(({ path }) => pathFault(path) !== "hidden" || isSecret(path));
  const secret = site.filter(({ path }) => isSecret(path)).map(({ path }) => path);
  if (secret.length > 0) throw new RefusedFiles("secrets", secret);
  const wrong = site.filter(({ path }) => pathFault(path)).map(({ path }) => path);
  if (wrong.length > 0) throw new RefusedFiles("names", wrong);
  return site;
}

/** The rules of the folder's own `.nidoignore`, as the command-line tool applies them. */
async function ignoreRulesOf(files: LocalFile[]) {
  const { ignoreFile, readIgnoreRules } = await import("@nido/contract/ignoreRules");
  const own = files.find(({ path }) => path === ignoreFile);
  return readIgnoreRules(own ? [{ text: await own.blob.text(), prefix: "" }] : []);
}

function isIgnoreFile(path: string): boolean {
  return nameOf(path) === ".nidoignore";
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}

/** Without the folder that contains everything: `dist/index.html` becomes `index.html`. */
function withoutFolder(files: LocalFile[]): LocalFile[] {
  const [folder] = files[0]?.path.split("/", 1) ?? [];
  const prefix = `${folder}/`;
  if (!files.every(({ path }) => path.startsWith(prefix))) return files;
  return files.map(({ path, blob }) => ({ path: path.slice(prefix.length), blob }));
}

async function readEntry(entry: FileSystemEntry, folder: string): Promise<LocalFile[]> {
  const path = folder + entry.name;
  if (entry.isFile) {
    const blob = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path, blob }];
  }
  if (isSkippedName(entry.name)) return [];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: LocalFile[] = [];
  // Browsers return at most a hundred entries at a time.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return found;
    for (const child of part) found.push(...(await readEntry(child, `${path}/`)));
  }
}

async function unpack(archive: Blob): Promise<LocalFile[]> {
  const { unzipSync } = await import("fflate");
  // Not in workers: the page's content security policy allows none.
  const entries = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  return Object.entries(entries)
    .filter(([path]) => !path.endsWith("/"))
    .map(([path, content]) => ({ path, blob: new Blob([content as Uint8Array<ArrayBuffer>]) }));
}
