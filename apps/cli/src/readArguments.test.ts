import { describe, expect, test } from "vitest";
import { commands } from "./commands.ts";
import { helpOf } from "./help.ts";
import { readArguments } from "./readArguments.ts";
import { texts } from "./texts.ts";

const read = (line: string, lang: "es" | "en" = "en") => readArguments(line.split(" ").filter(Boolean), texts[lang]);

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
])("nido %s", (line, name, argument, options) => {
  const given = read(line);
  expect(given.meant.map((command) => command.name)).toEqual([name]);
  expect(given).toMatchObject({ argument, options });
  expect(given.options).toEqual(options);
});

test("without a command all are meant; with the name of a group, its own", () => {
  expect(read("").meant).toBe(commands);
  expect(read("--version")).toMatchObject({ meant: commands, options: { version: true } });
  expect(read("tokens").meant.map(({ name }) => name)).toEqual(["tokens create", "tokens list", "tokens revoke"]);
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
])("nido %s is refused as wrong usage", (line, sentence, named) => {
  expect(() => read(line, "es")).toThrow(expect.objectContaining({ message: sentence, exitCode: 2 }));
  expect(() => read(line)).toThrow(named);
});

describe.each(["es", "en"] as const)("help in %s", (lang) => {
  test("of the program names every command and general option", () => {
    const help = helpOf(commands, texts[lang]);
    for (const { name } of commands) expect(help).toContain(`\n  ${name} `);
    expect(help).toContain("--no-color");
    expect(help).toContain("NIDO_TOKEN");
  });

  test.each(commands.map((command) => [command.name, command]))(
    "of %s fits a terminal and names its options",
    (name, command) => {
      const help = helpOf([command], texts[lang]);
      expect(help).toContain(`nido ${name} `);
      for (const option of command.options ?? []) expect(help).toContain(texts[lang].options[option]);
      for (const line of help.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    },
  );
});
