import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { countFindings, type DeployPlan, messageMaxLength, type SiteFile, type SiteReport } from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import type { Client } from "../Client.ts";
import type { Context } from "../Context.ts";
import { detectSite } from "../detectSite.ts";
import { exitCodes, Failure } from "../Failure.ts";
import { childProcess } from "../lazyBuiltins.ts";
import type { Options } from "../options.ts";
import { findFiles } from "../publish/findFiles.ts";
import { hashFiles } from "../publish/hashFiles.ts";
import { rejectFiles } from "../publish/rejectFiles.ts";
import { sendFiles } from "../publish/sendFiles.ts";
import { offerSinglePage } from "../publish/singlePage.ts";
import { commentOn, describeBytes, reportOn, warnAboutSite } from "../publish/siteReport.ts";
import { warnAboutBranch, warnAboutStorage } from "../publish/warnAboutPlan.ts";
import { requireSiteFolder } from "../siteFolder.ts";
import type { Terminal } from "../Terminal.ts";
import type { Texts } from "../texts.ts";
import { initProject } from "./init.ts";
import { signIn } from "./login.ts";

const maxAttempts = 3;

export async function publish(context: Context, options: Options, dir?: string) {
  const { t, terminal } = context;
  if (terminal.isInteractive && !options.yes) await askForMissing(context, options, dir);
  const client = context.signedIn();
  const project = context.projectName();
  const { settings, folder: settingsFolder } = context.settings();
  // Another folder than the one that the settings build is published as it is, unless a build is asked for.
  const isElsewhere = (dir ?? options.dir) !== undefined && !options.build;
  const build =
    (isElsewhere ? undefined : settings.build) ??
    (options.build ? (detectSite(settingsFolder).build ?? "") : undefined);
  if (build === "") throw new Failure(t.noBuild, exitCodes.usage);
  if (build !== undefined) await buildSite(context, settingsFolder, build);
  const folder = requireSiteFolder(context, dir ?? options.dir);
  await offerSinglePage(context, folder, terminal.isInteractive && !options.yes && !options.dryRun);
  if (options.branch) await warnAboutBranch(context, options);

  for (let attempt = 1; ; attempt++) {
    try {
      return await publishOnce({ t, terminal, client, project, folder, settingsFolder, options }, attempt > 1);
    } catch (error) {
      const hasChanged = error instanceof ApiError && /^error_(digest_mismatch|deploy_incomplete)$/.test(error.key);
      if (!hasChanged || attempt === maxAttempts) throw error;
      terminal.say(t.changedMeanwhile);
    }
  }
}

/** A first publication asks for what it needs: the login, the project and the folder. */
async function askForMissing(context: Context, options: Options, dir: string | undefined) {
  if (!context.isSignedIn) await signIn(context, options);
  if (!context.hasProject) await initProject(context, dir ?? options.dir);
}

/** Only results go to stdout, so the command's output goes to stderr. */
async function buildSite({ t, terminal }: Context, folder: string, command: string) {
  terminal.say(t.building(command));
  const child = childProcess().spawn(command, {
    cwd: folder,
    shell: true,
    stdio: ["inherit", process.stderr, "inherit"],
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Failure(t.buildFailed(command));
}

interface Publishing {
  t: Texts;
  terminal: Terminal;
  client: Client;
  project: string;
  folder: string;
  /** the folder with nido.json */
  settingsFolder: string;
  options: Options;
}

async function publishOnce(publishing: Publishing, ignoreCache: boolean) {
  const { t, terminal, folder, options } = publishing;
  const { files: found, rejected, hidden } = findFiles(folder, publishing.settingsFolder);
  rejectFiles(rejected, t);
  if (hidden.length > 0) terminal.warn(t.hiddenLeftOut(hidden));
  if (found.length === 0) throw new Failure(t.folderEmpty(folder), exitCodes.usage);
  const files = await hashFiles(folder, found, (part) => terminal.progress(t.hashing, part), ignoreCache);
  const strict = options.strict ? await requireNoFindings(publishing, files) : undefined;
  const plan = await requestPlan(publishing, files);
  warnAboutStorage(t, terminal, plan);
  const changes = t.changes(plan.added.length, plan.changed.length, plan.removed.length);
  if (options.dryRun) {
    const report = strict ?? (await inspect(publishing, files));
    terminal.say(t.dryRun(changes));
    terminal.say(describeBytes(t, report));
    return terminal.list(changeLines(plan), { ...plan, report }, "");
  }
  // The site is looked at while its files are sent.
  const inspected = strict ? Promise.resolve(strict) : inspect(publishing, files);
  inspected.catch(() => undefined); // It is awaited below; until then a rejection would count as unhandled.
  const published = await sendMissing(publishing, files, plan, inspected);
  const report = await inspected;
  terminal.succeed(`${t.published(published.url)} (${changes})`);
  terminal.say(describeBytes(t, report));
  if (published.deploy_url) terminal.say(t.permanent(published.deploy_url));
  const comment = commentOn(t, published, changes, report);
  const summary = { ...plan, missing: undefined, sent: plan.missing.length, report, comment };
  terminal.result(published.url, { ...published, ...summary });
}

async function inspect({ t, terminal, folder }: Publishing, files: SiteFile[]): Promise<SiteReport> {
  const report = await reportOn(folder, files);
  warnAboutSite(t, terminal, report);
  return report;
}

async function requireNoFindings(publishing: Publishing, files: SiteFile[]): Promise<SiteReport> {
  const { t } = publishing;
  const report = await inspect(publishing, files);
  const count = countFindings(report);
  if (count > 0) throw new Failure(t.notPublished(count), exitCodes.failed, { report });
  return report;
}

function requestPlan({ client, project, options }: Publishing, files: SiteFile[]): Promise<DeployPlan> {
  const { branch, dryRun = false } = options;
  const [message] = (options.message ?? "").replaceAll("\t", " ").trim().slice(0, messageMaxLength).split(/\r?\n/, 1);
  return client.call("POST", `/projects/${encodeURIComponent(project)}/deploys`, {
    key: randomUUID(),
    files,
    message,
    branch,
    dry_run: dryRun,
  });
}

function sendMissing(
  { t, terminal, client, folder }: Publishing,
  files: SiteFile[],
  plan: DeployPlan,
  report: Promise<SiteReport>,
) {
  const byDigest = new Map(files.map((file) => [file.sha256, file]));
  const send = (digests: string[]) => {
    const missing = digests.flatMap((sha256) => byDigest.get(sha256) ?? []);
    const deploy = { id: plan.id ?? "", folder, report };
    const onProgress = (part: number) => terminal.progress(t.sending, part);
    return sendFiles(client, deploy, missing, terminal.hasProgress ? onProgress : undefined);
  };
  return send(plan.missing).catch((error) => {
    // The server may have deleted a stored file after it planned the deploy. Its error lists such files.
    if (!(error instanceof ApiError) || error.missing.length === 0) throw error;
    return send(error.missing);
  });
}

function changeLines({ added, changed, removed }: DeployPlan): string[] {
  return [
    ...added.map((path) => `+ ${path}`),
    ...changed.map((path) => `~ ${path}`),
    ...removed.map((path) => `- ${path}`),
  ];
}
