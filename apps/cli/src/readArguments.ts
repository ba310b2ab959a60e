import { parseArgs } from "node:util";
import { type Command, commands } from "./commands.ts";
import { exitCodes, Failure } from "./Failure.ts";
import { flagOf, general, kinds, type Options } from "./options.ts";
import type { Texts } from "./texts.ts";

export interface Given {
  /** the one that is meant, or all that begin like it */
  meant: Command[];
  argument: string | undefined;
  options: Options;
}

type Flag = Extract<ReturnType<typeof parse>[number], { kind: "option" }>;

const names = Object.keys(kinds) as (keyof Options)[];
const byFlag = new Map(names.map((name) => [flagOf(name), name]));

/** Reads what was typed. What makes no sense is refused, with the reason. */
export function readArguments(args: string[], t: Texts): Given {
  const tokens = parse(args);
  const words = tokens.flatMap((token) => (token.kind === "positional" ? token.value : []));
  const { meant, rest } = findCommands(words, t);
  const [command] = meant;
  const allowed = new Set([...general, ...(meant.length === 1 ? (command?.options ?? []) : [])]);
  const options: Record<string, unknown> = {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const name = byFlag.get(token.name);
    if (!name || !allowed.has(name))
      throw usage(t.optionUnknown(token.rawName, meant.length === 1 ? `nido ${command?.name} --help` : "nido --help"));
    options[name] = readValue(token, name, t);
  }
  if (!command || meant.length > 1 || options["help"] || options["version"])
    return { meant, argument: undefined, options };

  const [argument, ...more] = rest;
  const [extra] = command.takes ? more : rest;
  if (extra !== undefined) throw usage(t.argumentExtra(extra));
  if (command.takes?.isNeeded && !argument) throw usage(t.argumentMissing(t.values[command.takes.what]));
  return { meant, argument, options };
}

function parse(args: string[]) {
  const options = names.map((name) => {
    const { short, value } = kinds[name];
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

function readValue({ value, rawName, inlineValue }: Flag, name: keyof Options, t: Texts): string | true {
  if (!kinds[name].value) {
    if (value !== undefined) throw usage(t.valueUnwanted(rawName));
    return true;
  }
  // Another option, and not what was forgotten.
  if (value === undefined || (!inlineValue && isFlag(value))) throw usage(t.valueMissing(rawName));
  return value;
}

function findCommands(words: string[], t: Texts): { meant: Command[]; rest: string[] } {
  if (words.length === 0) return { meant: commands, rest: [] };
  const command = commands.find(({ name }) => name.split(" ").every((part, index) => part === words[index]));
  if (command) return { meant: [command], rest: words.slice(command.name.split(" ").length) };

  const [first = "", second] = words;
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0 && second === undefined) return { meant: group, rest: [] };
  const typed = group.length > 0 ? `${first} ${second}` : first;
  throw usage(t.commandUnknown(typed, nearest(typed)));
}

/** The command that was probably meant. */
function nearest(typed: string): string | undefined {
  const [best] = commands
    .map(({ name }) => ({ name, away: distance(name, typed) }))
    .sort((one, other) => one.away - other.away);
  return best && best.away <= 2 ? best.name : undefined;
}

/** How many letters would have to be added, removed or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const letter of from) {
    const next = [(row[0] as number) + 1];
    for (const [index, other] of [...to].entries()) {
      const [left, above, before] = [next[index], row[index + 1], row[index]] as [number, number, number];
      next.push(Math.min(left + 1, above + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) as number;
}

function isFlag(text: string): boolean {
  return /^--\w/.test(text) || Object.values(kinds).some(({ short }) => text === `-${short}`);
}

function usage(text: string): Failure {
  return new Failure(text, exitCodes.usage);
}
