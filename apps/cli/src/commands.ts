import type { Context } from "./Context.ts";
import { deleteBranch, listBranches } from "./commands/branches.ts";
import { completion } from "./commands/completion.ts";
import { deploys } from "./commands/deploys.ts";
import { addDomain, listDomains } from "./commands/domains.ts";
import { init } from "./commands/init.ts";
import { list } from "./commands/list.ts";
import { login } from "./commands/login.ts";
import { logout } from "./commands/logout.ts";
import { logs } from "./commands/logs.ts";
import { discardMoveIn, moveIn, saveMovePlugin, startMoveIn } from "./commands/moveIn.ts";
import { open } from "./commands/open.ts";
import { promote } from "./commands/promote.ts";
import { protect, unprotect } from "./commands/protect.ts";
import { publish } from "./commands/publish.ts";
import { rollback } from "./commands/rollback.ts";
import { createToken, listTokens, revokeToken } from "./commands/tokens.ts";
import { whoami } from "./commands/whoami.ts";
import {
  deleteStaging,
  listBackups,
  listCron,
  listErrors,
  listMail,
  listPlugins,
  listSites,
  listSlow,
  listUpdates,
  listUsers,
  makeBackup,
  makeStaging,
  php,
  purge,
  pushStaging,
  resetUser,
  restore,
  rules,
  runCommand,
  sendTestMail,
  switchDebugLog,
  switchListing,
  switchMaintenance,
  switchPlugin,
  update,
} from "./commands/wordpress.ts";
import type { Options } from "./options.ts";
import type { Texts } from "./texts.ts";

export interface Command {
  name: keyof Texts["commands"];
  /** the positional argument, if the command has one */
  argument?: { name: keyof Texts["values"]; isRequired: boolean; isList?: boolean };
  options?: (keyof Options)[];
  run: (context: Context, options: Options, argument?: string, more?: string[]) => Promise<void>;
}

/** The first whose words are typed is run, so `branches delete` comes before `branches`. */
export const commands: Command[] = [
  { name: "login", options: ["device"], run: login },
  { name: "logout", run: logout },
  { name: "whoami", run: whoami },
  { name: "init", options: ["dir"], run: init },
  {
    name: "publish",
    argument: { name: "folder", isRequired: false },
    options: ["dir", "build", "message", "branch", "dryRun", "strict"],
    run: publish,
  },
  {
    name: "dev",
    argument: { name: "folder", isRequired: false },
    options: ["dir", "port"],
    // Loaded at its first use: it brings the types of all files with it.
    run: async (context, options, folder) => (await import("./commands/dev.ts")).dev(context, options, folder),
  },
  { name: "list", run: list },
  { name: "deploys", options: ["branch"], run: deploys },
  { name: "rollback", argument: { name: "id", isRequired: false }, options: ["branch"], run: rollback },
  {
    name: "promote",
    argument: { name: "deploy", isRequired: true },
    run: (context, _, which = "") => promote(context, which),
  },
  {
    name: "branches delete",
    argument: { name: "name", isRequired: true },
    run: (context, _, name = "") => deleteBranch(context, name),
  },
  { name: "branches", run: listBranches },
  { name: "protect", options: ["branch"], run: protect },
  { name: "unprotect", options: ["branch"], run: unprotect },
  { name: "open", options: ["branch"], run: open },
  {
    name: "domains add",
    argument: { name: "domain", isRequired: true },
    options: ["www"],
    run: (context, options, domain = "") => addDomain(context, domain, options),
  },
  { name: "domains", run: listDomains },
  { name: "logs", options: ["follow"], run: logs },
  { name: "wp sites", run: listSites },
  { name: "wp backups", run: listBackups },
  {
    name: "wp backup",
    argument: { name: "text", isRequired: false },
    run: (context, _, note) => makeBackup(context, note),
  },
  {
    name: "wp restore",
    argument: { name: "name", isRequired: true },
    options: ["parts", "staging"],
    run: (context, options, name = "") => restore(context, name, options),
  },
  { name: "wp staging delete", run: deleteStaging },
  { name: "wp staging push", options: ["parts", "tables"], run: pushStaging },
  { name: "wp staging", run: makeStaging },
  { name: "wp move-in plugin", run: saveMovePlugin },
  { name: "wp move-in start", run: startMoveIn },
  { name: "wp move-in discard", run: discardMoveIn },
  {
    name: "wp move-in",
    argument: { name: "source", isRequired: true },
    options: ["user", "sftp"],
    run: (context, options, source = "") => moveIn(context, source, options),
  },
  { name: "wp plugins", run: listPlugins },
  {
    name: "wp users reset",
    argument: { name: "name", isRequired: true },
    run: (context, _, name = "") => resetUser(context, name),
  },
  { name: "wp users", run: listUsers },
  {
    name: "wp plugin on",
    argument: { name: "name", isRequired: true },
    run: (context, _, name = "") => switchPlugin(context, name, "on"),
  },
  {
    name: "wp plugin off",
    argument: { name: "name", isRequired: true },
    run: (context, _, name = "") => switchPlugin(context, name, "off"),
  },
  {
    name: "wp plugin auto on",
    argument: { name: "name", isRequired: true },
    run: (context, _, name = "") => switchPlugin(context, name, "automatic_on"),
  },
  {
    name: "wp plugin auto off",
    argument: { name: "name", isRequired: true },
    run: (context, _, name = "") => switchPlugin(context, name, "automatic_off"),
  },
  { name: "wp updates", run: listUpdates },
  {
    name: "wp update",
    argument: { name: "name", isRequired: false },
    run: (context, _, name) => update(context, name),
  },
  {
    name: "wp php",
    argument: { name: "version", isRequired: false },
    run: (context, _, version) => php(context, version),
  },
  { name: "wp errors", run: listErrors },
  { name: "wp slow", run: listSlow },
  {
    name: "wp rules",
    argument: { name: "file", isRequired: false },
    run: (context, _, file) => rules(context, file),
  },
  { name: "wp maintenance on", run: (context) => switchMaintenance(context, true) },
  { name: "wp maintenance off", run: (context) => switchMaintenance(context, false) },
  { name: "wp search on", run: (context) => switchListing(context, true) },
  { name: "wp search off", run: (context) => switchListing(context, false) },
  { name: "wp debug on", run: (context) => switchDebugLog(context, true) },
  { name: "wp debug off", run: (context) => switchDebugLog(context, false) },
  { name: "wp cron", run: listCron },
  { name: "wp purge", run: purge },
  { name: "wp mail test", run: sendTestMail },
  { name: "wp mail", run: listMail },
  {
    name: "wp cli",
    argument: { name: "command", isRequired: true, isList: true },
    options: ["staging"],
    run: (context, options, first = "", more = []) => runCommand(context, [first, ...more], options),
  },
  {
    name: "tokens create",
    argument: { name: "name", isRequired: true },
    options: ["readOnly", "days"],
    run: (context, options, name = "") => createToken(context, options, name),
  },
  { name: "tokens list", run: listTokens },
  {
    name: "tokens revoke",
    argument: { name: "id", isRequired: true },
    run: (context, _, id = "") => revokeToken(context, id),
  },
  {
    name: "completion",
    argument: { name: "shell", isRequired: true },
    run: (context, _, shell = "") => completion(context, shell),
  },
];
