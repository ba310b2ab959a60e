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
  const kept = all.filter(({ path }) => !path.split("/").some(isSkippedName));
  const folder = commonFolder(kept);
  const named = kept.map(({ path, blob }) => ({ path: path.slice(folder.length), blob }));
  const { judge, isNoSecret } = await readIgnoreFiles(all, folder);
  // The rules have no opinion about a path that cannot be published.
  const isPossible = (path: string) => [undefined, "hidden"].includes(pathFault(path));
  const isSecret = (path: string) => isSecretName(nameOf(path)) && !(isPossible(path) && isNoSecret(path));
  const isWanted = (path: string) => judge(path) !== "ignored" && (!pathFault(path) || isSecret(path));
  const site = named.filter(({ path }) => !isPossible(path) || isWanted(path));
  const secret = site.filter(({ path }) => isSecret(path)).map(({ path }) => path);
  if (secret.length > 0) throw new RefusedFiles("secrets", secret);
  const wrong = site.filter(({ path }) => pathFault(path)).map(({ path }) => path);
  if (wrong.length > 0) throw new RefusedFiles("names", wrong);
  return site;
}

/** The `.nidoignore` of the site's folder, and the one beside the folder, as the command-line tool applies them. */
async function readIgnoreFiles(all: LocalFile[], folder: string) {
  const own = [...new Set(["", folder])].flatMap((place) => {
    const file = all.find(({ path }) => path === `${place}.nidoignore`);
    return file ? [{ file, prefix: folder.slice(place.length) }] : [];
  });
  if (own.length === 0) return { judge: () => undefined, isNoSecret: () => false };
  const { readIgnoreRules } = await import("@nido/contract/ignoreRules");
  return readIgnoreRules(
    await Promise.all(own.map(async ({ file, prefix }) => ({ text: await file.blob.text(), prefix }))),
  );
}

function nameOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}

/** The folder that contains everything, with a slash: `dist/`. "" if there is none. */
function commonFolder(files: LocalFile[]): string {
  const [first = ""] = files[0]?.path.split("/", 1) ?? [];
  const prefix = `${first}/`;
  return files.every(({ path }) => path.startsWith(prefix)) ? prefix : "";
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
