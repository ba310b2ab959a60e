import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type DeployPlan,
  messageMaxLength,
  parseHeaderRules,
  parseRedirects,
  type RuleFault,
  type SiteFile,
} from "@nido/contract";
import { ApiError, type Client } from "../Client.ts";
import type { Context } from "../Context.ts";
import { exitCodes, Failure } from "../Failure.ts";
import type { Options } from "../options.ts";
import { findBrokenLinks } from "../publish/findBrokenLinks.ts";
import { findFiles, type Refused } from "../publish/findFiles.ts";
import { hashFiles } from "../publish/hashFiles.ts";
import { sendFiles } from "../publish/sendFiles.ts";
import type { Terminal } from "../Terminal.ts";
import type { Texts } from "../texts.ts";
import { detectFolder } from "./init.ts";

const shownLinks = 10;

export async function publish(context: Context, options: Options, dir?: string) {
  const { t, terminal } = context;
  const client = context.signedIn();
  const project = context.projectName();
  const folder = folderOf(context, dir ?? options.dir);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure(t.folderMissing(folder), exitCodes.usage);
  const above = context.settings().folder;

  for (let attempt = 1; ; attempt++) {
    try {
      return await publishOnce({ t, terminal, client, project, folder, above, options }, attempt > 1);
    } catch (error) {
      const isOutdated = error instanceof ApiError && /^error_(digest_mismatch|deploy_incomplete)$/.test(error.key);
      if (!isOutdated || attempt === 3) throw error;
      terminal.say(t.changedMeanwhile);
    }
  }
}

function folderOf(context: Context, given: string | undefined): string {
  if (given !== undefined) return resolve(given);
  const { settings, folder } = context.settings();
  return resolve(folder, settings.folder ?? detectFolder(folder));
}

interface Publication {
  t: Texts;
  terminal: Terminal;
  client: Client;
  project: string;
  folder: string;
  /** where the project's own settings are */
  above: string;
  options: Options;
}

async function publishOnce({ t, terminal, client, project, folder, above, options }: Publication, isAfresh: boolean) {
  const { files: found, refused } = findFiles(folder, above);
  refuse(refused, t);
  if (found.length === 0) throw new Failure(t.folderEmpty(folder), exitCodes.usage);
  const files = await hashFiles(folder, found, (part) => terminal.progress(t.hashing, part), isAfresh);
  const { branch, dryRun = false } = options;
  const [message] = (options.message ?? "").replaceAll("\t", " ").trim().slice(0, messageMaxLength).split(/\r?\n/, 1);
  const plan = await client.call<DeployPlan>("POST", `/projects/${encodeURIComponent(project)}/deploys`, {
    key: randomUUID(),
    files,
    message,
    branch,
    dry_run: dryRun,
  });
  warn(t, terminal, folder, files, plan);
  const changes = t.changes(plan.added.length, plan.changed.length, plan.removed.length);
  if (dryRun) {
    const lines = [
      ...plan.added.map((path) => `+ ${path}`),
      ...plan.changed.map((path) => `~ ${path}`),
      ...plan.removed.map((path) => `- ${path}`),
    ];
    terminal.say(t.dryRun(changes));
    return terminal.list(lines, plan, "");
  }

  const byDigest = new Map(files.map((file) => [file.sha256, file]));
  const send = (digests: string[]) => {
    const wanted = digests.flatMap((sha256) => byDigest.get(sha256) ?? []);
    return sendFiles(client, plan.id ?? "", folder, wanted, (part) => terminal.progress(t.sending, part));
  };
  const published = await send(plan.missing).catch((error) => {
    // The server has lost something that it had when it was asked.
    if (!(error instanceof ApiError) || error.missing.length === 0) throw error;
    return send(error.missing);
  });
  terminal.succeed(`${t.published(published.url)} (${changes})`);
  terminal.result(published.url, { ...published, ...plan, missing: undefined, sent: plan.missing.length });
}

function refuse({ secrets, links, hidden, names }: Refused, t: Texts) {
  const lines = (paths: string[]) => paths.map((path) => `  ${path}`).join("\n");
  const reasons = [
    secrets.length > 0 && t.refusedSecrets(lines(secrets)),
    links.length > 0 && t.refusedLinks(lines(links)),
    hidden.length > 0 && t.refusedHidden(lines(hidden)),
    names.length > 0 && t.refusedNames(lines(names)),
  ].filter(Boolean);
  if (reasons.length > 0) throw new Failure(reasons.join("\n\n"));
}

/** What can be published, but is probably not meant. */
function warn(t: Texts, terminal: Terminal, folder: string, files: SiteFile[], plan: DeployPlan) {
  const paths = new Set(files.map(({ path }) => path));
  if (!paths.has("index.html")) terminal.warn(t.noIndex);
  const read = (name: string) => (paths.has(name) ? readFileSync(join(folder, name), "utf8") : "");
  const { rules, faults } = parseRedirects(read("_redirects"));
  const tell =
    (file: string) =>
    ({ line, text }: RuleFault) =>
      terminal.warn(t.ruleFault(file, line, text));
  faults.forEach(tell("_redirects"));
  parseHeaderRules(read("_headers")).faults.forEach(tell("_headers"));

  // A page breaks when it changes, or when something that it leads to goes.
  const touched = plan.removed.length > 0 ? [...paths] : [...plan.added, ...plan.changed];
  const pages = touched.filter((path) => path.endsWith(".html"));
  const broken = findBrokenLinks(folder, pages, paths, rules);
  if (broken.length === 0) return;
  const lines = broken.slice(0, shownLinks).map(({ page, link }) => `  ${page}: ${link}`);
  terminal.warn(t.brokenLinks(broken.length, [...lines, ...(broken.length > shownLinks ? ["  …"] : [])].join("\n")));
}
