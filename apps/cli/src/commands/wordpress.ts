import { readFileSync } from "node:fs";
import {
  type Backup,
  type CliSite,
  type CommandEvent,
  type PluginSwitch,
  redirectFaults,
  ruleTexts,
  type SiteBackups,
  type SiteCare,
  type SiteMail,
  type SitePlugins,
  type SiteRules,
  type SiteUpdates,
  type SiteUser,
  type SiteUsers,
} from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import type { Context } from "../Context.ts";
import { exitCodes, Failure } from "../Failure.ts";
import type { Options } from "../options.ts";
import { ask, findSite, showStaging, work } from "../siteCalls.ts";

export async function listSites(context: Context) {
  const { t, terminal } = context;
  const sites = await context.signedIn().call<CliSite[]>("GET", "/sites");
  const line = ({ name, address, staging }: CliSite) => [name, address, staging?.url ?? ""].join("\t");
  terminal.list(sites.map(line), sites, t.wp.noSites);
}

export async function listBackups(context: Context) {
  const { t, terminal } = context;
  const { backups } = await ask<SiteBackups>(context, "GET", "/backups");
  const line = ({ name, created_at: at, reason, size = 0, note }: Backup) =>
    [name, new Date(at).toLocaleString(t.locale), reason, `${Math.ceil(size / 1e6)} MB`, note].join("\t");
  terminal.list(backups.map(line), backups, t.wp.noBackups);
}

export async function makeBackup(context: Context, note = "") {
  await work(context, "backup", "/backups", { note });
  context.terminal.data({ done: "backup" });
}

export async function restore(context: Context, name: string, { parts = "all", staging = false }: Options) {
  const path = `/backups/${encodeURIComponent(name)}/restore`;
  if (staging) {
    await work(context, "copy", path, { parts, to: "staging" });
    return showStaging(context);
  }
  await work(context, "restore", path, { parts });
  context.terminal.data({ done: "restore" });
}

export async function makeStaging(context: Context) {
  await work(context, "copy", "/staging");
  await showStaging(context);
}

export async function pushStaging(context: Context, { parts = "all", tables }: Options) {
  const chosen = tables?.split(",").flatMap((name) => name.trim() || []);
  await work(context, "push", "/staging/push", { parts, ...(chosen && { tables: chosen }) });
  context.terminal.data({ done: "push" });
}

export async function deleteStaging(context: Context) {
  await ask(context, "DELETE", "/staging");
  context.terminal.succeed(context.t.wp.stagingDeleted);
}

export async function listPlugins(context: Context) {
  showPlugins(context, await ask<SitePlugins>(context, "GET", "/plugins"));
}

/** Turns a plugin on or off, or its automatic updates, by its folder or by its whole id. */
export async function switchPlugin(context: Context, which: string, what: keyof PluginSwitch) {
  const { plugins } = await ask<SitePlugins>(context, "GET", "/plugins");
  const plugin = plugins.find(({ id }) => id === which || id.split("/")[0] === which);
  if (!plugin) throw new Failure(context.t.wp.noPlugin(which));
  const body = { on: [], off: [], [what]: [plugin.id] };
  showPlugins(context, await ask<SitePlugins>(context, "PUT", "/plugins", body));
}

function showPlugins({ t, terminal }: Context, { plugins }: SitePlugins) {
  const line = ({ id, name, version, is_active: isOn, is_automatic: isAutomatic }: SitePlugins["plugins"][number]) =>
    [id, name, version, isOn ? t.wp.on : t.wp.off, ...(isAutomatic ? [t.wp.automatic] : [])].join("\t");
  terminal.list(plugins.map(line), plugins, t.wp.noPlugins);
}

export async function listUsers(context: Context) {
  const { users } = await ask<SiteUsers>(context, "GET", "/users");
  const line = ({ login, email, role }: SiteUser) => [login, email, role].join("\t");
  context.terminal.list(users.map(line), users, context.t.wp.noUsers);
}

/** Ends the password and the sessions of a WordPress user, who gets a link to choose a new password. */
export async function resetUser(context: Context, login: string) {
  const { users } = await ask<SiteUsers>(context, "GET", "/users");
  const user = users.find((each) => each.login === login || each.email === login);
  if (!user) throw new Failure(context.t.wp.noUser(login));
  await ask(context, "POST", "/users", { reset: [user.id] });
  context.terminal.succeed(context.t.wp.userReset(login));
  context.terminal.data({ reset: user.login });
}

export async function listUpdates(context: Context) {
  const { t, terminal } = context;
  const updates = await ask<SiteUpdates>(context, "GET", "/updates");
  const { items, version, newest } = updates;
  const lines = items.map(({ id, version: from, new_version: to, notice }) =>
    [id, from, to, ...(notice ? [notice.replace(/\s+/g, " ")] : [])].join("\t"),
  );
  terminal.list([...(newest ? [["wordpress", version, newest].join("\t")] : []), ...lines], updates, t.wp.noUpdates);
}

/** Updates WordPress (`wordpress`), a plugin or a theme; without an argument, all plugins and themes. */
export async function update(context: Context, which?: string) {
  const { items, newest } = await ask<SiteUpdates>(context, "GET", "/updates");
  const chosen = items.filter(({ id }) => which === undefined || id === which || id.split("/")[0] === which);
  const core = which === "wordpress" ? newest : undefined;
  if (!core && chosen.length === 0) throw new Failure(context.t.wp.noUpdates);
  const idsOf = (kind: string) => chosen.filter((item) => item.kind === kind).map(({ id }) => id);
  await work(context, "update", "/updates", {
    ...(core && { core }),
    plugins: idsOf("plugin"),
    themes: idsOf("theme"),
  });
  context.terminal.data({ done: "update" });
}

/** Shows the version of PHP and those that can be chosen, or changes it. */
export async function php(context: Context, version?: string) {
  const { t, terminal } = context;
  const updates = await ask<SiteUpdates>(context, "GET", "/updates");
  const { php: current, php_versions: versions } = updates;
  if (version === undefined) {
    const others = versions.filter((each) => !current.startsWith(`${each}.`));
    terminal.result(current, { php: current, versions });
    return others.length > 0 ? terminal.say(t.wp.phpVersions(others.join(", "))) : undefined;
  }
  if (!versions.includes(version)) throw new Failure(t.wp.noPhp(version, versions.join(", ")), exitCodes.usage);
  // The old version is chosen again: nothing that was written since is lost.
  const done = t.wp.phpChanged(version, current.split(".", 2).join("."));
  await work(context, "update", "/updates", { php: version, plugins: [], themes: [] }, done);
  terminal.data({ done: "update" });
}

export async function listErrors(context: Context) {
  const { t, terminal } = context;
  const { errors } = await ask<SiteCare>(context, "GET", "/care");
  const line = ({ at, count, message }: SiteCare["errors"][number]) =>
    [new Date(at * 1000).toLocaleString(t.locale), count, message].join("\t");
  terminal.list(errors.map(line), errors, t.wp.noErrors);
}

export async function listSlow(context: Context) {
  const { t, terminal } = context;
  const { slow } = await ask<SiteCare>(context, "GET", "/care");
  const line = ({ at, seconds, path, queries }: SiteCare["slow"][number]) =>
    [new Date(at * 1000).toLocaleString(t.locale), `${seconds} s`, `${queries} SQL`, path].join("\t");
  terminal.list(slow.map(line), slow, t.wp.noSlow);
}

/** Prints the rules of a site as JSON, or replaces them with those of such a file. */
export async function rules(context: Context, file?: string) {
  if (file === undefined) {
    const found = await ask<SiteRules>(context, "GET", "/rules");
    return context.terminal.result(JSON.stringify(found, null, 2), found);
  }
  const wanted = readRules(context, file);
  const [fault] = redirectFaults(String(wanted.redirects));
  if (fault) {
    const { t } = context;
    throw new Failure(t.wp.ruleFault(fault.line, fault.text, ruleTexts[t.lang][fault.reason]));
  }
  const saved = await ask<SiteRules>(context, "PUT", "/rules", wanted);
  context.terminal.succeed(context.t.wp.rulesSaved);
  context.terminal.data(saved);
}

function readRules({ t }: Context, file: string): Partial<SiteRules> {
  try {
    const given: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof given === "object" && given !== null && !Array.isArray(given))
      return { redirects: "", files: [], uncached: [], ...given };
  } catch {
    // What cannot be read, or is not JSON, is no file of rules either.
  }
  throw new Failure(t.wp.noRules(file));
}

export async function switchMaintenance(context: Context, isOn: boolean) {
  await ask<SiteCare>(context, "PUT", "/care", { is_maintained: isOn });
  context.terminal.succeed(isOn ? context.t.wp.maintained : context.t.wp.unmaintained);
}

export async function switchListing(context: Context, isOn: boolean) {
  await ask<SiteCare>(context, "PUT", "/care", { is_listed: isOn });
  context.terminal.succeed(isOn ? context.t.wp.listed : context.t.wp.unlisted);
}

export async function switchDebugLog(context: Context, isOn: boolean) {
  const { t, terminal } = context;
  const { debugged_until: until } = await ask<SiteCare>(context, "PUT", "/care", { is_debugged: isOn });
  terminal.succeed(isOn ? t.wp.debugged(new Date(until * 1000).toLocaleString(t.locale)) : t.wp.undebugged);
}

/** What WP-Cron does next. */
export async function listCron(context: Context) {
  const { t, terminal } = context;
  const { cron } = await ask<SiteCare>(context, "GET", "/care");
  const line = ({ at, hook }: SiteCare["cron"][number]) =>
    [new Date(at * 1000).toLocaleString(t.locale), hook].join("\t");
  terminal.list(cron.map(line), cron, t.wp.noCron);
}

export async function purge(context: Context) {
  await ask(context, "POST", "/purge", {});
  context.terminal.succeed(context.t.wp.purged);
}

export async function listMail(context: Context) {
  const { t, terminal } = context;
  const mail = await ask<SiteMail>(context, "GET", "/mail");
  const line = ({ at, status, recipients, subject, problem = "" }: SiteMail["messages"][number]) =>
    [new Date(at).toLocaleString(t.locale), status, recipients, subject, status === "sent" ? "" : problem].join("\t");
  terminal.list(mail.messages.map(line), mail, t.wp.noMail);
}

export async function sendTestMail(context: Context) {
  await ask(context, "POST", "/mail", {});
  context.terminal.succeed(context.t.wp.testMailSent);
}

/** Runs a command of WP-CLI, and ends with its exit code. */
export async function runCommand(context: Context, args: string[], { staging = false }: Options) {
  const { t, terminal } = context;
  const { id } = await findSite(context);
  const printed = { out: "", err: "" };
  let exit: number | undefined;
  for await (const event of await context.signedIn().stream<CommandEvent>(`/sites/${id}/cli`, { args, staging })) {
    if ("exit" in event) exit = event.exit;
    else if ("error" in event) throw new ApiError(event.error);
    else if ("backup" in event) terminal.progress(t.wp.working.backup, event.backup);
    else {
      terminal.endBar();
      const [kind, text] = "out" in event ? (["out", event.out] as const) : (["err", event.err] as const);
      if (terminal.isJson) printed[kind] += text;
      else process[`std${kind}`].write(text);
    }
  }
  if (exit === undefined) throw new Failure(t.wp.commandCut);
  terminal.data({ ...printed, exit });
  process.exitCode = exit;
}
