import { expect, test } from "vitest";
import { shellLanguage } from "./shellLanguage.ts";

test.each([
  [{ LANG: "es_ES.UTF-8" }, "es"],
  [{ LANG: "en_GB" }, "en"],
  [{ LANG: "es_MX", LC_ALL: "en_US" }, "en"],
])("the shell's language of %j is %s", (env, lang) => expect(shellLanguage(env)).toBe(lang));
