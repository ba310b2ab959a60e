import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Finding, inspectRules, maxRulesBytes, parseHeaderRules, parseRedirects } from "@nido/contract";
import { contentTypeOf, type SiteFileEntry, StaticSite } from "@nido/static-site";
import { type FoundFile, findFiles } from "../publish/findFiles.ts";

/** How long a look at the folder counts, in milliseconds: the requests of a page follow each other. */
const lookTime = 200;

/** A folder as the server would show it once it is published, with the same code. */
export class LocalSite {
  private readonly folder: string;
  private readonly settingsFolder: string;
  private paths = new Map<SiteFileEntry, string>();
  private found: FoundFile[] = [];
  private site: StaticSite | undefined;
  private lookedAt = 0;
  /** `state`: of what the findings are about */
  private inspected: { state: string; findings: Finding[] } | undefined;

  constructor(folder: string, settingsFolder: string) {
    this.folder = folder;
    this.settingsFolder = settingsFolder;
  }

  /** The site as the folder is now. Fails while the folder is being replaced. */
  look(): StaticSite {
    if (this.site && Date.now() - this.lookedAt < lookTime) return this.site;
    this.found = findFiles(this.folder, this.settingsFolder).files;
    const entries = this.found.map(({ path, size }): [string, SiteFileEntry] => [
      path,
      { sha256: "", size, type: contentTypeOf(path), forms: { gzip: null, br: null } },
    ]);
    this.paths = new Map(entries.map(([path, entry]) => [entry, path]));
    this.site = new StaticSite({
      publishedAt: new Date(),
      files: new Map(entries),
      redirects: parseRedirects(this.rules("_redirects")).rules,
      headerRules: parseHeaderRules(this.rules("_headers")).rules,
    });
    this.lookedAt = Date.now();
    return this.site;
  }

  read(entry: SiteFileEntry): Buffer {
    return readFileSync(join(this.folder, this.paths.get(entry) ?? ""));
  }

  /** What would be told about its rules when it is published. Looked for again only when something has changed. */
  async findings(): Promise<Finding[]> {
    const state = JSON.stringify([this.found, this.rules("_redirects"), this.rules("_headers")]);
    if (this.inspected?.state === state) return this.inspected.findings;
    const findings = await inspectRules({ files: this.found, read: (path) => this.rules(path) });
    this.inspected = { state, findings };
    return findings;
  }

  private rules(name: string): string {
    const file = this.found.find(({ path }) => path === name);
    return file && file.size <= maxRulesBytes ? readFileSync(join(this.folder, name), "utf8") : "";
  }
}
