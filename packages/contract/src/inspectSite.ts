import { brokenLinks, headLength } from "./brokenLinks.ts";
import { splitPath } from "./pathPattern.ts";
import { readRules } from "./readRules.ts";
import { followRedirect, type RuleFaultReason } from "./redirects.ts";
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

interface Site {
  files: { path: string; size: number }[];
  /** the files that are looked at; the others were looked at before */
  changed: Iterable<string>;
  read: (path: string) => string | Promise<string>;
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
/** Keys that give access to something: of servers, AWS, Stripe, GitHub, GitLab, Slack, OpenAI. */
const secret =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\n)+[A-Za-z0-9+/=]{40}|\bAKIA[0-9A-Z]{9}(?!EXAMPLE)[0-9A-Z]{7}\b|\b[rs]k_live_\w{20,}|\bgh[pousr]_\w{36}|\bglpat-[\w-]{20}|\bxox[bpars]-[\w-]{20,}|\bsk-(proj-)?\w{40,}/;
const isDocument = /<(!doctype html|html|head)\b/i;
const title = /<title\b[^>]*>\s*[^<\s]/i;
const refresh = /<meta\s[^>]*http-equiv\s*=\s*["']?refresh/i;

/** Looks for probable mistakes in a site. */
export async function inspectSite({ files, changed, read }: Site): Promise<SiteReport> {
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const found = new Findings();
  const { redirects, faults, tooLarge } = await readRules(sizes, read);
  const hasHome = redirects.some((rule) => followRedirect(rule, splitPath("/"), new Map()) !== undefined);
  if (!sizes.has("index.html") && !hasHome) found.add("home", { file: "index.html" });
  for (const file of tooLarge) found.add("rulesSize", { file });
  for (const { file, line, text, reason } of faults) found.add("rule", { file, line, text }, reason);
  for (const file of changed) {
    const size = sizes.get(file) ?? 0;
    const group = groupOf(file);
    if (group === "image" && size > largeImageBytes) found.add("image", { file });
    if (size > maxReadBytes || !readable.test(file)) continue;
    const text = await read(file);
    if (secret.test(text)) found.add("secret", { file });
    if (group !== "page") continue;
    const head = text.slice(0, headLength);
    if (isDocument.test(head) && !title.test(head) && !refresh.test(head)) found.add("title", { file });
    for (const { link, isAsset } of brokenLinks(text, file, sizes, redirects))
      found.add(isAsset ? "asset" : "link", { file, text: link });
  }
  return { findings: found.list(), bytes: bytesByGroup(files) };
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

function bytesByGroup(files: Site["files"]): SiteReport["bytes"] {
  const bytes: SiteReport["bytes"] = {};
  for (const { path, size } of files) {
    const group = groupOf(path);
    bytes[group] = (bytes[group] ?? 0) + size;
  }
  return bytes;
}
