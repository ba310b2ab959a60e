import { type IgnoreRules, isSkippedName, judgeEntry } from "@nido/contract";

/** A file of a site, at its path below the site's root. */
export interface LocalFile {
  path: string;
  blob: Blob;
}

export interface LocalSite {
  files: LocalFile[];
  /** hidden files and folders, which are left out */
  hidden: string[];
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
export async function readDropped(items: DataTransferItemList): Promise<LocalSite> {
  // The list is emptied when the event is over, so the entries are taken at once.
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const files = (await Promise.all(entries.map((entry) => readEntry(entry, "")))).flat();
  return toSite(files);
}

/** The files of a folder or archive that was chosen. */
export function readChosen(list: FileList): Promise<LocalSite> {
  return toSite([...list].map((file) => ({ path: file.webkitRelativePath || file.name, blob: file })));
}

async function toSite(files: LocalFile[]): Promise<LocalSite> {
  const [only] = files;
  const isArchive = files.length === 1 && only?.path.toLowerCase().endsWith(".zip");
  const all = isArchive && only ? await unpack(only.blob) : files;
  const kept = all.filter(({ path }) => !path.split("/").some(isSkippedName));
  const folder = commonFolder(kept);
  const rules = await readIgnoreFiles(all, folder);
  const site: LocalFile[] = [];
  const left = { secret: new Set<string>(), hidden: new Set<string>(), name: new Set<string>() };
  for (const { path: whole, blob } of kept) {
    const path = whole.slice(folder.length);
    const { verdict, at } = judgePath(path, rules);
    if (!verdict) site.push({ path, blob });
    else if (verdict !== "skipped") left[verdict].add(verdict === "name" ? path : at);
  }
  if (left.secret.size > 0) throw new RefusedFiles("secrets", [...left.secret]);
  if (left.name.size > 0) throw new RefusedFiles("names", [...left.name]);
  return { files: site, hidden: [...left.hidden] };
}

/** The first of a file's folders that is not published, or the file itself: what a walk through the folders would meet. */
function judgePath(path: string, rules: IgnoreRules) {
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    const at = path.slice(0, slash);
    const verdict = judgeEntry(at, true, rules);
    if (verdict) return { verdict, at };
  }
  return { verdict: judgeEntry(path, false, rules), at: path };
}

/** The `.nidoignore` of the site's folder, and the one beside the folder, as the command-line tool applies them. */
async function readIgnoreFiles(all: LocalFile[], folder: string): Promise<IgnoreRules> {
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
