import { type FileFacts, readFacts } from "./fileFacts.ts";
import { LinkTargets } from "./LinkTargets.ts";
import { splitPath } from "./pathPattern.ts";
import { readRules } from "./readRules.ts";
import { followRedirect, type RuleFaultReason } from "./redirects.ts";
import type { SiteFile } from "./siteFiles.ts";
import {
  type FileGroup,
  type Finding,
  type FindingItem,
  type FindingKind,
  findingKinds,
  largeImageBytes,
  maxFindingItems,
  maxFindingText,
  type SiteReport,
} from "./siteReport.ts";

interface Rules {
  files: { path: string; size: number }[];
  read: (path: string) => string | Promise<string>;
}

interface Site extends Rules {
  files: SiteFile[];
  /** what is known about contents; what is read joins it */
  known?: KnownFacts;
}

/** The facts about contents, by the kind of file and its digest. */
export interface KnownFacts {
  get(key: string): FileFacts | undefined;
  set(key: string, facts: FileFacts): void;
}

const groups: [FileGroup, RegExp][] = [
  ["page", /\.html?$/i],
  ["style", /\.css$/i],
  ["script", /\.(m?js|wasm)$/i],
  ["image", /\.(png|jpe?g|gif|webp|avif|svg|ico|bmp|tiff?)$/i],
  ["font", /\.(woff2?|ttf|otf|eot)$/i],
  ["media", /\.(mp4|webm|mov|mp3|ogg|wav|m4a)$/i],
];
const readable = /\.(html?|css|m?js|json|txt|xml|map|ya?ml|toml|ini|conf|env|csv|md)$/i;
const maxReadBytes = 4_000_000;

/** Looks for probable mistakes in a site. */
export async function inspectSite(site: Site): Promise<SiteReport> {
  const found = new Findings();
  const targets = await addRules(found, site);
  for (const { path: file, size, sha256 } of site.files) {
    const group = groupOf(file);
    if (group === "image" && size > largeImageBytes) found.add("image", { file });
    if (size > maxReadBytes || !readable.test(file)) continue;
    const key = `${group} ${sha256}`;
    const facts = site.known?.get(key) ?? readFacts(await site.read(file), group);
    site.known?.set(key, facts);
    if (facts.isSecret) found.add("secret", { file });
    if (facts.isUntitled) found.add("title", { file });
    for (const kind of ["assets", "pages"] as const)
      for (const text of targets.broken(facts[kind], file, facts.base))
        found.add(kind === "assets" ? "asset" : "link", { file, text });
  }
  return { findings: found.list(), bytes: bytesByGroup(site.files) };
}

/** Looks at the rules files alone, and whether there is a home page. */
export async function inspectRules(rules: Rules): Promise<Finding[]> {
  const found = new Findings();
  await addRules(found, rules);
  return found.list();
}

/** Returns where links may lead. */
async function addRules(found: Findings, { files, read }: Rules): Promise<LinkTargets> {
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const { redirects, faults, tooLarge } = await readRules(sizes, read);
  const hasHome = redirects.some((rule) => followRedirect(rule, splitPath("/"), new Map()) !== undefined);
  if (!sizes.has("index.html") && !hasHome) found.add("home", { file: "index.html" });
  for (const file of tooLarge) found.add("rulesSize", { file });
  for (const { file, line, text, reason } of faults) found.add("rule", { file, line, text }, reason);
  return new LinkTargets(sizes, redirects);
}

class Findings {
  private readonly groups = new Map<string, Finding>();

  add(kind: FindingKind, item: FindingItem, reason?: RuleFaultReason) {
    const key = `${kind} ${reason ? `${item.file} ${reason}` : ""}`;
    const finding = this.groups.get(key) ?? { kind, ...(reason && { reason }), count: 0, items: [] };
    this.groups.set(key, finding);
    finding.count++;
    if (finding.items.length >= maxFindingItems) return;
    finding.items.push({ ...item, ...(item.text && { text: shorten(item.text) }) });
  }

  list(): Finding[] {
    const place = ({ kind }: Finding) => findingKinds.indexOf(kind);
    return [...this.groups.values()].sort((one, other) => place(one) - place(other));
  }
}

/** Without what cannot be stored: NUL, and half a surrogate pair at the end. */
function shorten(text: string): string {
  return text.replaceAll("\0", "").slice(0, maxFindingText).toWellFormed();
}

function groupOf(path: string): FileGroup {
  return groups.find(([, names]) => names.test(path))?.[0] ?? "other";
}

function bytesByGroup(files: SiteFile[]): SiteReport["bytes"] {
  const bytes: SiteReport["bytes"] = {};
  for (const { path, size } of files) {
    const group = groupOf(path);
    bytes[group] = (bytes[group] ?? 0) + size;
  }
  return bytes;
}
