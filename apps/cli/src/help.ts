import { type Command, commands } from "./commands.ts";
import { flagOf, general, kinds, type Options } from "./options.ts";
import type { Texts } from "./texts.ts";

/** How to use a command, or those of a group, or all of them. */
export function helpOf(meant: Command[], t: Texts): string {
  const [command] = meant;
  const parts =
    command && meant.length === 1
      ? [
          usage(call(command, t), t),
          t.commands[command.name],
          command.options && optionList(t.titles.options, command.options, t),
          optionList(t.titles.general, general, t),
        ]
      : [
          usage(`<${t.values.command}>`, t),
          meant === commands && t.about,
          list(
            t.titles.commands,
            meant.map((one) => [call(one, t), t.commands[one.name]]),
          ),
          optionList(t.titles.options, general, t),
          meant === commands && t.after,
        ];
  return parts.filter(Boolean).join("\n\n");
}

function usage(what: string, t: Texts): string {
  return `${t.titles.usage} nido ${what} [${t.values.options}]`;
}

function call({ name, takes }: Command, t: Texts): string {
  if (!takes) return name;
  const what = t.values[takes.what];
  return `${name} ${takes.isNeeded ? `<${what}>` : `[${what}]`}`;
}

function optionList(title: string, options: (keyof Options)[], t: Texts): string {
  const lines = options.map((option): [string, string] => {
    const { short, value } = kinds[option];
    const flags = `${short ? `-${short}, ` : ""}--${flagOf(option)}`;
    return [value ? `${flags} <${t.values[value]}>` : flags, t.options[option]];
  });
  return list(title, lines);
}

function list(title: string, lines: [string, string][]): string {
  const width = Math.max(...lines.map(([left]) => left.length)) + 2;
  return [title, ...lines.map(([left, right]) => `  ${left.padEnd(width)}${right}`)].join("\n");
}
