import { expect, test } from "vitest";
import { allowedCommand } from "./allowedCommands.ts";

const kindOf = (line: string) => allowedCommand(line.split(" "))?.kind;

test.each([
  ["reads", ["help", "help plugin", "option get list", "cron event list", "user meta get 1 x", "db search a"]],
  ["reads", ["search-replace a b --dry-run", "plugin update --all --dry-run", "plugin list --all"]],
  ["writes", ["option update list get", "user update 1 --user_pass=x --dry-run", "post delete 1", "cache flush"]],
  ["writes", ["transient delete --all", "plugin activate a", "plugin install a", "user meta update 1 a b"]],
  ["risky", ["search-replace a b", "search-replace a b --dry-run --no-dry-run", "search-replace a b --dry-run=false"]],
  ["risky", ["plugin update a", "plugin delete a b", "theme update --all", "plugin deactivate --all=1"]],
  ["risky", ["plugin install a --force", "post delete 1 2 3 --force", "user delete 1 --yes"]],
] as const)("%s: %j", (kind, lines) => {
  for (const line of lines) expect([line, kindOf(line)]).toEqual([line, kind]);
});

test.each([
  "eval echo",
  "eval-file x.php",
  "shell",
  "server",
  "package install x",
  "config get",
  "core update",
  "db query select",
  "db drop --yes",
  "plugin upgrade a",
  "plugin update-all",
  "plugin scaffold a",
  "plugin --all update",
  "--path=/tmp option get home",
  "option get home --path=/tmp",
  "option get home --require=/tmp/x.php",
  "option get home --exec=echo",
  "option get home --ssh=root@localhost",
  "option get home --http=http://127.0.0.1",
  "@all option get home",
  "constructor",
  " option get",
])("refused: %s", (line) => expect(kindOf(line)).toBeUndefined());

test("the name has no values in it", () => {
  expect(allowedCommand(["user", "update", "1", "--user_pass=secret"])?.name).toBe("user update");
  expect(allowedCommand(["embed", "fetch", "https://example.com/?token=secret"])?.name).toBe("embed fetch");
  expect(allowedCommand(["search-replace", "secret", "other"])?.name).toBe("search-replace");
});
