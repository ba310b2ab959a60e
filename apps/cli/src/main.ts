#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { Context, describe, type GlobalOptions } from "./Context.ts";
import { init } from "./commands/init.ts";
import { login, logout, whoami } from "./commands/login.ts";
import { type PublishOptions, publish } from "./commands/publish.ts";
import { rollback } from "./commands/rollback.ts";
import { deploys, domains, list, open } from "./commands/show.ts";
import { createToken, listTokens, revokeToken } from "./commands/tokens.ts";
import { exitCodes } from "./Failure.ts";
import { findLogin, homeServer, onlyServer } from "./settings.ts";
import { Terminal } from "./Terminal.ts";
import { shellLanguage, texts } from "./texts.ts";

const t = texts[accountLanguage() ?? shellLanguage()];
let context: Context | undefined;

const help = { showGlobalOptions: true, styleTitle: (title: string) => t.titles[title] ?? title };

const program = new Command("nido")
  .description(t.about)
  .version(version(), "-v, --version", t.version)
  .helpOption("-h, --help", t.help)
  .helpCommand(false)
  .configureHelp(help)
  .option("--project <name>", t.options.project)
  .option("--json", t.options.json)
  .option("-y, --yes", t.options.yes)
  .option("--token <token>", t.options.token)
  .option("--server <address>", t.options.server)
  .option("--no-color", t.options.noColor)
  .addHelpText("after", t.after)
  .exitOverride()
  .hook("preAction", () => {
    const options = program.opts<GlobalOptions>();
    context = new Context(t, new Terminal(options), options);
  });

const add = (name: string, description: string) => program.command(name).description(description);

add("login", t.commands.login)
  .option("--device", t.options.device)
  .action((options) => login(given(), options));
add("logout", t.commands.logout).action(() => logout(given()));
add("whoami", t.commands.whoami).action(() => whoami(given()));
add("init", t.commands.init)
  .option("--dir <folder>", t.options.dir)
  .action((options) => init(given(), options));
add("publish [dir]", t.commands.publish)
  .option("--dir <folder>", t.options.dir)
  .option("-m, --message <text>", t.options.message)
  .option("--branch <name>", t.options.branch)
  .option("--dry-run", t.options.dryRun)
  .action((dir: string | undefined, options: PublishOptions) => publish(given(), dir, options));
add("list", t.commands.list).action(() => list(given()));
add("deploys", t.commands.deploys).action(() => deploys(given()));
add("rollback [deploy]", t.commands.rollback)
  .option("--branch <name>", t.options.branch)
  .action((deploy: string | undefined, options) => rollback(given(), deploy, options));
add("open", t.commands.open).action(() => open(given()));
add("domains", t.commands.domains).action(() => domains(given()));

const tokens = add("tokens", t.commands.tokens).helpCommand(false);
tokens
  .command("create <name>")
  .description(t.commands.tokensCreate)
  .action((name) => createToken(given(), name));
tokens
  .command("list")
  .description(t.commands.tokensList)
  .action(() => listTokens(given()));
tokens
  .command("revoke <id>")
  .description(t.commands.tokensRevoke)
  .action((id) => revokeToken(given(), id));

for (const command of [...program.commands, ...tokens.commands])
  command.exitOverride().helpOption("-h, --help", t.help).configureHelp(help);

void run();

async function run() {
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage;
      return;
    }
    const terminal = context?.terminal ?? new Terminal({});
    const { text, exitCode } = describe(error, t, context?.givenToken !== undefined);
    terminal.say(`${terminal.paint("red", "✗")} ${text}`);
    terminal.data({ error: text });
    process.exitCode = exitCode;
  } finally {
    context?.close();
  }
}

function given(): Context {
  if (!context) throw new Error("no command was chosen");
  return context;
}

function accountLanguage() {
  const server = process.env["NIDO_SERVER"] || homeServer() || onlyServer();
  return server && URL.canParse(server) ? findLogin(new URL(server))?.lang : undefined;
}

/** Of the package that this file came in, beside it or one above. */
function version(): string {
  for (const place of ["./package.json", "../package.json"]) {
    try {
      return JSON.parse(readFileSync(new URL(place, import.meta.url), "utf8")).version;
    } catch {
      // The other one, then.
    }
  }
  return "?";
}
