import { readFileSync } from "node:fs";
import { Context } from "./Context.ts";
import { complete } from "./complete.ts";
import { describeError } from "./describeError.ts";
import { exitCodes, Failure } from "./Failure.ts";
import { helpText } from "./helpText.ts";
import { findLogin, onlyServer } from "./logins.ts";
import { packageServer } from "./packageServer.ts";
import { parseArguments } from "./parseArguments.ts";
import { shellLanguage } from "./shellLanguage.ts";
import { Terminal } from "./Terminal.ts";
import { texts } from "./texts.ts";

const t = texts[accountLanguage() ?? shellLanguage()];
const args = process.argv.slice(2);
const own = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
const terminal = new Terminal({ isJson: own.includes("--json"), isPlain: own.includes("--no-color") });

// The reader of a pipe has seen enough: `nido … | head`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});
if (args[0] === "--complete") process.stdout.write(`${complete(args.slice(1)).join("\n")}\n`);
else void run();

async function run() {
  let context: Context | undefined;
  try {
    const { matched, argument, more, options } = parseArguments(args, t);
    const [command] = matched;
    if (options.version) terminal.result(version(), { version: version() });
    else if (options.help) terminal.result(helpText(matched, t), { help: helpText(matched, t) });
    else if (!command || matched.length > 1) {
      terminal.say(helpText(matched, t));
      process.exitCode = exitCodes.usage;
    } else {
      context = new Context(t, terminal, options);
      await command.run(context, options, argument, more);
    }
  } catch (error) {
    const { text, exitCode } = describeError(error, t, context?.explicitToken !== undefined);
    terminal.say(`${terminal.paint("red", "✗")} ${text}`);
    terminal.data({ error: text, ...(error instanceof Failure && error.data) });
    process.exitCode = exitCode;
  } finally {
    context?.close(version());
  }
}

function accountLanguage() {
  const server = process.env["NIDO_SERVER"] || packageServer() || onlyServer();
  return server && URL.canParse(server) ? findLogin(new URL(server))?.lang : undefined;
}

/** The package.json is beside this file in the downloaded package, and in the folder above in the repository. */
function version(): string {
  for (const path of ["./package.json", "../package.json"]) {
    try {
      return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version;
    } catch {
      // Try the next path.
    }
  }
  return "?";
}
