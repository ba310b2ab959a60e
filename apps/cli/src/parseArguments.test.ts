import { describe, expect, test } from "vitest";
import { commands } from "./commands.ts";
import { helpText } from "./helpText.ts";
import { parseArguments } from "./parseArguments.ts";
import { texts } from "./texts.ts";

const parse = (line: string, lang: "es" | "en" = "en") => parseArguments(line.split(" ").filter(Boolean), texts[lang]);

test.each([
  ["publish", "publish", undefined, {}],
  [
    "publish site --branch=preview -m fix --dry-run",
    "publish",
    "site",
    { branch: "preview", message: "fix", dryRun: true },
  ],
  ["--json --project shop publish", "publish", undefined, { json: true, project: "shop" }],
  ["publish -m -1", "publish", undefined, { message: "-1" }],
  ["publish -- --odd", "publish", "--odd", {}],
  ["login --device --no-color -y", "login", undefined, { device: true, noColor: true, yes: true }],
  ["tokens create ci", "tokens create", "ci", {}],
  ["rollback", "rollback", undefined, {}],
  ["tokens create --help", "tokens create", undefined, { help: true }],
  ["help tokens create", "tokens create", undefined, { help: true }],
  ["help deploy", "publish", undefined, { help: true }],
  ["deploy site", "publish", "site", {}],
  ["ls", "list", undefined, {}],
  ["branches", "branches", undefined, {}],
  ["branches delete next", "branches delete", "next", {}],
])("nido %s is parsed", (line, name, argument, options) => {
  const parsed = parse(line);
  expect(parsed.matched.map((command) => command.name)).toEqual([name]);
  expect(parsed).toMatchObject({ argument, options });
  expect(parsed.options).toEqual(options);
});

test("no command matches all commands, and the name of a group matches its commands", () => {
  expect(parse("").matched).toBe(commands);
  expect(parse("help")).toMatchObject({ matched: commands, options: { help: true } });
  expect(parse("--version")).toMatchObject({ matched: commands, options: { version: true } });
  expect(parse("tokens").matched.map(({ name }) => name)).toEqual(["tokens create", "tokens list", "tokens revoke"]);
});

test.each([
  ["publis site", "No existe el comando «publis». ¿Querías decir «publish»? Mira «nido --help».", "publis"],
  ["logins", "No existe el comando «logins». ¿Querías decir «login»? Mira «nido --help».", "logins"],
  ["logut", "No existe el comando «logut». ¿Querías decir «logout»? Mira «nido --help».", "logut"],
  ["xyz", "No existe el comando «xyz». Mira «nido --help».", "xyz"],
  ["tokens lst", "No existe el comando «tokens lst». ¿Querías decir «tokens list»? Mira «nido --help».", "tokens lst"],
  ["publish --fast", "--fast no es una opción de este comando. Mira «nido publish --help».", "--fast"],
  ["publish -x", "-x no es una opción de este comando. Mira «nido publish --help».", "-x"],
  ["whoami --branch a", "--branch no es una opción de este comando. Mira «nido whoami --help».", "--branch"],
  ["publish --project", "Falta el valor de --project.", "--project"],
  ["publish --project --json", "Falta el valor de --project.", "--project"],
  ["publish --project -y", "Falta el valor de --project.", "--project"],
  ["list --json=yes", "--json no lleva valor.", "--json"],
  ["publish a b", "Sobra «b».", "b"],
  ["list a", "Sobra «a».", "a"],
  ["tokens revoke", "Falta: <id>.", "<id>"],
])("nido %s is rejected with the exit code for wrong usage", (line, sentence, named) => {
  expect(() => parse(line, "es")).toThrow(expect.objectContaining({ message: sentence, exitCode: 2 }));
  expect(() => parse(line)).toThrow(named);
});

describe.each(["es", "en"] as const)("help in %s", (lang) => {
  test("for the CLI names every command and general option", () => {
    const help = helpText(commands, texts[lang]);
    for (const { name } of commands) expect(help).toContain(`\n  ${name} `);
    expect(help).toContain("--no-color");
    expect(help).toContain("NIDO_TOKEN");
  });

  test.each(commands.map((command) => [command.name, command]))(
    "for %s fits 80 columns and names its options",
    (name, command) => {
      const help = helpText([command], texts[lang]);
      expect(help).toContain(`nido ${name} `);
      for (const option of command.options ?? []) expect(help).toContain(texts[lang].options[option]);
      for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    },
  );
});

test("no command hides one that comes after it", () => {
  for (const [index, { name }] of commands.entries())
    for (const later of commands.slice(index + 1)) expect(`${later.name} `.startsWith(`${name} `)).toBe(false);
});
