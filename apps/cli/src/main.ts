#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Context, describe } from "./Context.ts";
import { exitCodes } from "./Failure.ts";
import { helpOf } from "./help.ts";
import { readArguments } from "./readArguments.ts";
import { findLogin, homeServer, onlyServer } from "./settings.ts";
import { Terminal } from "./Terminal.ts";
import { shellLanguage, texts } from "./texts.ts";

const t = texts[accountLanguage() ?? shellLanguage()];
const args = process.argv.slice(2);
const terminal = new Terminal({ isJson: args.includes("--json"), isPlain: args.includes("--no-color") });

void run();

async function run() {
  let context: Context | undefined;
  try {
    const { meant, argument, options } = readArguments(args, t);
    const [command] = meant;
    if (options.version) terminal.result(version(), { version: version() });
    else if (options.help) terminal.result(helpOf(meant, t), { help: helpOf(meant, t) });
    else if (!command || meant.length > 1) {
      terminal.say(helpOf(meant, t));
      process.exitCode = exitCodes.usage;
    } else {
      context = new Context(t, terminal, options);
      await command.run(context, options, argument);
    }
  } catch (error) {
    const { text, exitCode } = describe(error, t, context?.givenToken !== undefined);
    terminal.say(`${terminal.paint("red", "✗")} ${text}`);
    terminal.data({ error: text });
    process.exitCode = exitCode;
  } finally {
    context?.close();
  }
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
