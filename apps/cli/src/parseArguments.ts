import { parseArgs } from "node:util";
import { closestCommand } from "./closestCommand.ts";
import { type Command, commands } from "./commands.ts";
import { exitCodes, Failure } from "./Failure.ts";
import { flagOf, generalOptions, type Options, optionKinds } from "./options.ts";
import type { Texts } from "./texts.ts";

export interface ParsedArguments {
  /** the command that was typed, the commands of a group, or all commands if none was typed */
  matched: Command[];
  argument: string | undefined;
  /** what follows it, for a command that takes a list */
  more: string[];
  options: Options;
}

type OptionToken = Extract<ReturnType<typeof tokenize>[number], { kind: "option" }>;

const names = Object.keys(optionKinds) as (keyof Options)[];
/** What other tools call them. */
const aliases = new Map([
  ["deploy", "publish"],
  ["ls", "list"],
]);
const byFlag = new Map(names.map((name) => [flagOf(name), name]));

/** Parses the command line. Throws a Failure that names the mistake. */
export function parseArguments(args: string[], t: Texts): ParsedArguments {
  const tokens = tokenize(args);
  const words = tokens.flatMap((token) => (token.kind === "positional" ? token.value : []));
  const isHelp = words[0] === "help";
  const { matched, rest } = matchCommands(isHelp ? words.slice(1) : words, t);
  const [command] = matched;
  const allowed = new Set([...generalOptions, ...(matched.length === 1 ? (command?.options ?? []) : [])]);
  const options: Record<string, unknown> = isHelp ? { help: true } : {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const name = byFlag.get(token.name);
    if (!name || !allowed.has(name)) {
      const help = matched.length === 1 ? `nido ${command?.name} --help` : "nido --help";
      throw usageError(t.optionUnknown(token.rawName, help));
    }
    options[name] = readValue(token, name, t);
  }
  if (!command || matched.length > 1 || options["help"] || options["version"])
    return { matched, argument: undefined, more: [], options };

  const [argument, ...more] = rest;
  const [extra] = command.argument ? more : rest;
  if (extra !== undefined && !command.argument?.isList) throw usageError(t.argumentExtra(extra));
  if (command.argument?.isRequired && !argument) throw usageError(t.argumentMissing(t.values[command.argument.name]));
  return { matched, argument, more, options };
}

function tokenize(args: string[]) {
  const options = names.map((name) => {
    const { short, value } = optionKinds[name];
    return [flagOf(name), { type: value ? ("string" as const) : ("boolean" as const), ...(short && { short }) }];
  });
  const { tokens } = parseArgs({
    args,
    options: Object.fromEntries(options),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens;
}

function readValue({ value, rawName, inlineValue }: OptionToken, name: keyof Options, t: Texts): string | true {
  if (!optionKinds[name].value) {
    if (value !== undefined) throw usageError(t.valueUnexpected(rawName));
    return true;
  }
  // In `--project --json` the value was forgotten: `--json` is the next option.
  if (value === undefined || (!inlineValue && isFlag(value))) throw usageError(t.valueMissing(rawName));
  return value;
}

function matchCommands([typed, ...more]: string[], t: Texts): { matched: Command[]; rest: string[] } {
  if (typed === undefined) return { matched: commands, rest: [] };
  const words = [aliases.get(typed) ?? typed, ...more];
  const command = commands.find(({ name }) => name.split(" ").every((part, index) => part === words[index]));
  if (command) return { matched: [command], rest: words.slice(command.name.split(" ").length) };

  const [first = "", second] = words;
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && second === undefined) return { matched: group, rest: [] };
  const unknown = group.length > 0 ? `${first} ${second}` : first;
  throw usageError(t.commandUnknown(unknown, closestCommand(unknown)));
}

function isFlag(text: string): boolean {
  return /^--\w/.test(text) || Object.values(optionKinds).some(({ short }) => text === `-${short}`);
}

function usageError(text: string): Failure {
  return new Failure(text, exitCodes.usage);
}
