import type { Readable } from "node:stream";
import { ArchiveError } from "./readArchive.ts";

/** What a database dump contains, as far as its text tells without running it. */
export interface DumpReport {
  /** the beginning of the names of WordPress's tables */
  prefix: string;
  /** how many tables have that prefix */
  tables: number;
  /** the address of the site */
  url: string;
  /** the version of WordPress's tables */
  version: number;
  isNetwork: boolean;
  bytes: number;
}

const overlap = 4096;
const maxTables = 5000;
const maxNameLength = 64;
const created = /CREATE TABLE (?:IF NOT EXISTS )?(?:[`"]?[\w-]+[`"]?\.)?[`"]?(\w+)[`"]?/gi;
const address = /['"]siteurl['"]\s*,\s*['"](https?:\/\/[^'"\\]{1,200})['"]/;
const schema = /['"]db_version['"]\s*,\s*['"](\d{1,9})['"]/;

/** Undefined if it is not the dump of a WordPress. Throws an ArchiveError beyond so many bytes. */
export async function readDump(dump: Readable, maxBytes: number): Promise<DumpReport | undefined> {
  const names = new Set<string>();
  let [url, version, bytes, rest] = ["", 0, 0, ""];
  for await (const chunk of dump) {
    // Latin 1: the bytes of a character may be in two chunks, and only ASCII is searched for.
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ArchiveError("the dump is too large");
    const text = rest + (chunk as Buffer).toString("latin1");
    // A copy: a part of the text would keep all of it in memory.
    for (const [, name = ""] of text.matchAll(created))
      if (names.size < maxTables) names.add(Buffer.from(name.slice(0, maxNameLength)).toString());
    url ||= address.exec(text)?.[1] ?? "";
    version ||= Number(schema.exec(text)?.[1] ?? 0);
    rest = text.slice(-overlap);
  }
  const prefixes = [...names]
    .filter((name) => name.endsWith("options"))
    .map((name) => name.slice(0, -"options".length));
  // The shortest: a plugin may have a table whose name ends so, too.
  const [prefix] = prefixes
    .filter((each) => each !== "" && ["posts", "users", "usermeta"].every((table) => names.has(each + table)))
    .sort((one, other) => one.length - other.length);
  if (prefix === undefined) return undefined;
  const tables = [...names].filter((name) => name.startsWith(prefix)).length;
  return { prefix, tables, url, version, isNetwork: names.has(`${prefix}blogs`), bytes };
}
