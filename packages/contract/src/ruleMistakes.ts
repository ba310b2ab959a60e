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
/** The paths to which redirects lead are followed up to so many characters in all: a file may have many long chains. */
const maxFollowed = 50_000;

/** Rules that do not do what they say, by line. Each is found by following a path that only this rule should match. */
export function findMistakes(site: Site): Map<number, RuleFaultReason> {
  const folders = foldersOf(site.files.keys());
  const found = new Map<number, RuleFaultReason>();
  const next = nextAnswers(site);
  for (const rule of site.redirects) {
    const reason = findMistake(rule, site, folders, next);
    if (reason) found.set(rule.line, reason);
  }
  return found;
}

/** What the site answers where a redirect leads; undefined if too much was followed already. */
type NextAnswer = (redirect: { to: string }) => PathAnswer | undefined;

function nextAnswers(site: Site): NextAnswer {
  const known = new Map<string, PathAnswer>();
  let followed = 0;
  return ({ to }) => {
    const answer = known.get(to);
    if (answer) return answer;
    followed += to.length;
    if (followed > maxFollowed) return undefined;
    const [path = "", search = ""] = (to.split("#", 1)[0] ?? "").split("?", 2);
    const found = resolvePath(site, decodeURIComponent(path), search);
    known.set(to, found);
    return found;
  };
}

function foldersOf(names: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const name of names) {
    const segments = name.split("/").slice(0, -1);
    for (let depth = segments.length; depth > 0; depth--) folders.add(segments.slice(0, depth).join("/"));
  }
  return folders;
}

function findMistake(
  rule: Redirect,
  site: Site,
  folders: ReadonlySet<string>,
  next: NextAnswer,
): RuleFaultReason | undefined {
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
  const end = endOf(answer, rule, next);
  if (end === "cycle") return end;
  return end.kind === "none" && isMissing(rule, folders) ? "missing" : undefined;
}

/** Where a browser ends that is sent on; `cycle`: nowhere, because of this rule. */
function endOf(answer: PathAnswer, rule: Redirect, next: NextAnswer): PathAnswer | "cycle" {
  let last = answer;
  let uses = 0;
  for (let hops = 0; last.kind === "redirect" && last.to.startsWith("/") && hops < maxHops; hops++) {
    if (last.rule === rule) uses++;
    const found = next(last);
    if (!found) return last;
    last = found;
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
