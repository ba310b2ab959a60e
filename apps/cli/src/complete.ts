import { commands } from "./commands.ts";
import { flagOf, generalOptions, type Options, optionKinds } from "./options.ts";

const names = Object.keys(optionKinds) as (keyof Options)[];

/** The words that can follow on the command line. The last of `typed` is the one being typed, "" if none is yet. */
export function complete(typed: string[]): string[] {
  const prefix = typed.at(-1) ?? "";
  const before = typed.slice(0, -1);
  if (takesValue(before.at(-1))) return [];
  const words = before.filter((word, index) => !word.startsWith("-") && !takesValue(before[index - 1]));
  return prefix.startsWith("-") ? optionsAfter(words, prefix) : commandsAfter(words, prefix);
}

/** The next word of each command that begins with these words. */
function commandsAfter(words: string[], prefix: string): string[] {
  const next = commands
    .map(({ name }) => name.split(" "))
    .filter((parts) => words.every((word, index) => word === parts[index]))
    .map((parts) => parts[words.length]);
  return [...new Set(next)].filter((word) => word?.startsWith(prefix)) as string[];
}

function optionsAfter(words: string[], prefix: string): string[] {
  const command = commands.find(({ name }) => name.split(" ").every((part, index) => part === words[index]));
  const flags = [...(command?.options ?? []), ...generalOptions].map((option) => `--${flagOf(option)}`);
  return flags.filter((flag) => flag.startsWith(prefix));
}

/** Whether this word is an option whose value comes next. */
function takesValue(word = ""): boolean {
  return names.some((name) => {
    const { short, value } = optionKinds[name];
    return value !== undefined && (word === `--${flagOf(name)}` || (short && word === `-${short}`));
  });
}
