import { readFileSync } from "node:fs";
import type { FileFacts, KnownFacts } from "@nido/contract";
import { cacheFileOf, writeCache } from "./cacheFile.ts";

/** Another number for each change of what is noticed about a file: older entries would miss it. */
const format = 1;

type Entry = [key: string, isSecret: boolean, isUntitled: boolean, base: string, assets: number[], pages: number[]];

/** What is known about the files of a folder by their digests, so that a report reads only what has changed. */
export class FactsCache implements KnownFacts {
  private readonly file: string;
  private readonly before: Map<string, FileFacts>;
  private readonly current = new Map<string, FileFacts>();

  constructor(folder: string) {
    this.file = cacheFileOf(folder, "facts.json");
    this.before = read(this.file);
  }

  get(key: string): FileFacts | undefined {
    return this.current.get(key) ?? this.before.get(key);
  }

  set(key: string, facts: FileFacts) {
    this.current.set(key, facts);
  }

  /** Keeps what the last report used. */
  save() {
    const { before, current } = this;
    if (current.size === before.size && [...current.keys()].every((key) => before.has(key))) return;
    // Pages share most of their links.
    const links = new Map<string, number>();
    const placesOf = (list: string[]) =>
      list.map((link) => {
        const place = links.get(link) ?? links.size;
        links.set(link, place);
        return place;
      });
    const entries = [...current].map(
      ([key, { isSecret, isUntitled, base, assets, pages }]): Entry => [
        key,
        isSecret,
        isUntitled,
        base,
        placesOf(assets),
        placesOf(pages),
      ],
    );
    writeCache(this.file, { format, links: [...links.keys()], entries });
  }
}

/** An unreadable cache is an empty cache. */
function read(file: string): Map<string, FileFacts> {
  try {
    const cached: { format: number; links: string[]; entries: Entry[] } = JSON.parse(readFileSync(file, "utf8"));
    if (cached.format !== format) return new Map();
    const linksAt = (places: number[]) => places.map((place) => cached.links[place] ?? "");
    return new Map(
      cached.entries.map(([key, isSecret, isUntitled, base, assets, pages]) => [
        key,
        { isSecret, isUntitled, base, assets: linksAt(assets), pages: linksAt(pages) },
      ]),
    );
  } catch {
    return new Map();
  }
}
