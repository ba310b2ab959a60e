import type { Context } from "./Context.ts";
import { init } from "./commands/init.ts";
import { login, logout, whoami } from "./commands/login.ts";
import { publish } from "./commands/publish.ts";
import { rollback } from "./commands/rollback.ts";
import { deploys, domains, list, open } from "./commands/show.ts";
import { createToken, listTokens, revokeToken } from "./commands/tokens.ts";
import type { Options } from "./options.ts";
import type { Texts } from "./texts.ts";

export interface Command {
  name: keyof Texts["commands"];
  /** what may stand behind its name, and whether it must */
  takes?: { what: keyof Texts["values"]; isNeeded: boolean };
  options?: (keyof Options)[];
  run: (context: Context, options: Options, argument?: string) => Promise<void>;
}

const name = { what: "name", isNeeded: true } as const;
const id = { what: "id", isNeeded: true } as const;

export const commands: Command[] = [
  { name: "login", options: ["device"], run: login },
  { name: "logout", run: logout },
  { name: "whoami", run: whoami },
  { name: "init", options: ["dir"], run: init },
  {
    name: "publish",
    takes: { what: "folder", isNeeded: false },
    options: ["dir", "message", "branch", "dryRun"],
    run: publish,
  },
  { name: "list", run: list },
  { name: "deploys", run: deploys },
  { name: "rollback", takes: { what: "id", isNeeded: false }, options: ["branch"], run: rollback },
  { name: "open", run: open },
  { name: "domains", run: domains },
  { name: "tokens create", takes: name, run: (context, _, given = "") => createToken(context, given) },
  { name: "tokens list", run: listTokens },
  { name: "tokens revoke", takes: id, run: (context, _, given = "") => revokeToken(context, given) },
];
