import { type FileNames, fileAt } from "./fileAt.ts";
import { redirectMistake } from "./miswritten.ts";
import { samplePath } from "./pathPattern.ts";
import type { Redirect, RuleFaultReason } from "./redirects.ts";
import { type PathAnswer, resolvePath } from "./resolvePath.ts";

interface Site {
  files: FileNames & { keys(): Iterable<string> };
  redirects: readonly Redirect[];
}

/** Browsers give up after so many redirects. */
const maxHops = 20;

/** Rules that do not do what they say, by line. Each is found by following a path that only this rule should match. */
export function findMistakes(site: Site): Map<number, RuleFaultReason> {
  const folders = foldersOf(site.files.keys());
  const found = new Map<number, RuleFaultReason>();
  for (const rule of site.redirects) {
    const reason = findMistake(rule, site, folders);
    if (reason) found.set(rule.line, reason);
  }
  return found;
}

function foldersOf(names: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const name of names) {
    const segments = name.split("/").slice(0, -1);
    for (let depth = segments.length; depth > 0; depth--) folders.add(segments.slice(0, depth).join("/"));
  }
  return folders;
}

function findMistake(rule: Redirect, site: Site, folders: ReadonlySet<string>): RuleFaultReason | undefined {
  const mistake = redirectMistake(rule);
  if (mistake) return mistake;
  const path = samplePath(rule.from);
  const query = new URLSearchParams(rule.query.map(([name, value]) => [name, value.replace(/^:/, "")])).toString();
  const answer = resolvePath(site, path, query);
  const decided = ruleOf(answer);
  if (decided && decided.line < rule.line) return "duplicate";
  const alone = resolvePath({ ...site, redirects: [{ ...rule, isForced: true }] }, path, query);
  if (!ruleOf(alone)) {
    // It is passed over.
    if (rule.status !== 200 && rule.status !== 404) return "loop";
    return isMissing(rule, folders) ? "missing" : undefined;
  }
  const file = fileAt(site.files, path);
  if (decided !== rule) return file === undefined || file === fileOf(alone, site.files) ? undefined : "shadowed";
  const end = endOf(answer, rule, site);
  if (end === "cycle") return end;
  return end.kind === "none" && isMissing(rule, folders) ? "missing" : undefined;
}

/** Where a browser ends that is sent on; `cycle`: nowhere, because of this rule. */
function endOf(answer: PathAnswer, rule: Redirect, site: Site): PathAnswer | "cycle" {
  let last = answer;
  let uses = 0;
  for (let hops = 0; last.kind === "redirect" && last.to.startsWith("/") && hops < maxHops; hops++) {
    if (last.rule === rule) uses++;
    const [to = "", search = ""] = (last.to.split("#", 1)[0] ?? "").split("?", 2);
    last = resolvePath(site, decodeURIComponent(to), search);
  }
  return last.kind === "redirect" && last.to.startsWith("/") && uses > 1 ? "cycle" : last;
}

function ruleOf(answer: PathAnswer): Redirect | undefined {
  return answer.kind === "none" ? undefined : answer.rule;
}

/** The file that an answer shows, or leads to. */
function fileOf(answer: PathAnswer, files: FileNames): string | undefined {
  if (answer.kind === "file") return answer.name;
  return answer.kind === "redirect"
    ? fileAt(files, decodeURIComponent(answer.to.split(/[?#]/, 1)[0] ?? ""))
    : undefined;
}

/** Whether nothing is known at the target: without placeholders always, and else if the site lacks their folder. */
function isMissing({ to }: Redirect, folders: ReadonlySet<string>): boolean {
  const [path = ""] = to.split(/[?#]/, 1);
  const [start = "", ...rest] = path.split(/:[a-zA-Z_]/);
  const folder = decodeURIComponent(start.slice(1, Math.max(start.lastIndexOf("/"), 1)));
  return rest.length === 0 || (folder !== "" && !folders.has(folder));
}
