import type { Lang } from "./texts.ts";

/** The language of the shell, or English if there are no texts in it. */
export function shellLanguage(env = process.env): Lang {
  // On Linux only the environment names the language. Intl would add a third to the start-up time of the CLI.
  const hasSystemLocale = process.platform === "win32" || process.platform === "darwin";
  const locale =
    env["LC_ALL"] ||
    env["LC_MESSAGES"] ||
    env["LANG"] ||
    (hasSystemLocale ? Intl.DateTimeFormat().resolvedOptions().locale : "en");
  return /^es/i.test(locale) ? "es" : "en";
}
