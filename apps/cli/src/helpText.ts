import { type Command, commands } from "./commands.ts";
import { flagOf, generalOptions, type Options, optionKinds } from "./options.ts";
import type { Texts } from "./texts.ts";

/** Help for one command, for the commands of a group, or for all of them. */
export function helpText(matched: Command[], t: Texts): string {
  const [command] = matched;
  const parts =
    command && matched.length === 1
      ? [
          usageLine(synopsis(command, t), t),
          t.commands[command.name],
          command.options && optionTable(t.titles.options, command.options, t),
          optionTable(t.titles.general, generalOptions, t),
        ]
      : [
          usageLine(`<${t.values.command}>`, t),
          matched === commands && t.about,
          table(
            t.titles.commands,
            matched.map((one) => [synopsis(one, t), t.commands[one.name]]),
          ),
          optionTable(t.titles.options, generalOptions, t),
          matched === commands && t.after,
        ];
  return parts.filter(Boolean).join("\n\n");
}

function usageLine(call: string, t: Texts): string {
  return `${t.titles.usage} nido ${call} [${t.values.options}]`;
}

function synopsis({ name, argument }: Command, t: Texts): string {
  if (!argument) return name;
  const label = t.values[argument.name] + (argument.isList ? "…" : "");
  return `${name} ${argument.isRequired ? `<${label}>` : `[${label}]`}`;
}

function optionTable(title: string, options: (keyof Options)[], t: Texts): string {
  const rows = options.map((option): [string, string] => {
    const { short, value } = optionKinds[option];
    const flags = `${short ? `-${short}, ` : ""}--${flagOf(option)}`;
    return [value ? `${flags} <${t.values[value]}>` : flags, t.options[option]];
  });
  return table(title, rows);
}

function table(title: string, rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return [title, ...rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`)].join("\n");
}
