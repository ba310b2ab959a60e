import { expect, test } from "vitest";
import { splitCommand } from "./splitCommand.ts";

test.each([
  ["plugin list --format=json", ["plugin", "list", "--format=json"]],
  ["  option   get home ", ["option", "get", "home"]],
  ['option update blogname "Mi sitio"', ["option", "update", "blogname", "Mi sitio"]],
  ["post create --post_title='Un día «así»'", ["post", "create", "--post_title=Un día «así»"]],
  [String.raw`option update x a\ b\"c "d \" \n e"`, ["option", "update", "x", 'a b"c', String.raw`d " \n e`]],
  ["search-replace '' \"\"", ["search-replace", "", ""]],
  ["", []],
])("%s", (text, args) => expect(splitCommand(text)).toEqual(args));

test.each(["option get 'home", 'option get "home', "option get home\\"])("%s is not complete", (text) =>
  expect(splitCommand(text)).toBeUndefined(),
);
