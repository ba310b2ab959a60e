import { cp, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzip } from "./unzip.ts";

const mark = ".added";

/** Adds the language packs of WORDPRESS_LANGUAGES, a folder or a zip, to a WordPress that may be in use already. */
export async function addLanguages(source: string, wordpress: string) {
  const target = folderOf(wordpress);
  const { mtimeMs } = await stat(source);
  const version = `${source} ${mtimeMs}`;
  if ((await readFile(join(target, mark), "utf8").catch(() => "")) === version) return;
  await mkdir(target, { recursive: true });
  if ((await stat(source)).isDirectory()) await cp(source, target, { recursive: true });
  else await unzip(await readFile(source), target);
  await writeFile(join(target, mark), version);
}

/** Whether the block editor is translated. Debian's packages leave out all translations of scripts. */
export async function hasSpanishEditor(wordpress: string): Promise<boolean> {
  const names = await readdir(folderOf(wordpress)).catch(() => []);
  return names.some((name) => /^es_ES-[0-9a-f]{32}\.json$/.test(name));
}

function folderOf(wordpress: string): string {
  return join(wordpress, "wp-content/languages");
}
