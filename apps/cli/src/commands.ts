import type { Context } from "./Context.ts";
import { deleteBranch, listBranches } from "./commands/branches.ts";
import { deploys } from "./commands/deploys.ts";
import { domains } from "./commands/domains.ts";
import { init } from "./commands/init.ts";
import { list } from "./commands/list.ts";
import { login } from "./commands/login.ts";
import { logout } from "./commands/logout.ts";
import { open } from "./commands/open.ts";
import { promote } from "./commands/promote.ts";
import { publish } from "./commands/publish.ts";
import { rollback } from "./commands/rollback.ts";
import { createToken, listTokens, revokeToken } from "./commands/tokens.ts";
import { whoami } from "./commands/whoami.ts";
import type { Options } from "./options.ts";
import type { Texts } from "./texts.ts";

export interface Command {
  name: keyof Texts["commands"];
  /** the positional argument, if the command has one */
  argument?: { name: keyof Texts["values"]; isRequired: boolean };
  options?: (keyof Options)[];
  run: (context: Context, options: Options, argument?: string) => Promise<void>;
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
    options: ["dir", "message", "branch", "dryRun"],
    run: publish,
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
  { name: "open", options: ["branch"], run: open },
  { name: "domains", run: domains },
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
];
